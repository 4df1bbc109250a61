import { Page } from '../kit/page.tsx'
import { Clock } from './clock.tsx'
import { Reset } from './reset.tsx'
import { Steps } from './steps.tsx'

/** The partner's own world: its clock, steps with its orders, and the way back to the beginning. */
export function Sandbox() {
  return (
    <Page
      title="Clock and steps"
      says={
        <>
          Make happen what takes days in production. <a href="/guides/sandbox/">How the sandbox works</a>
        </>
      }
    >
      <Clock />
      <Steps />
      <Reset />
    </Page>
  )
}
