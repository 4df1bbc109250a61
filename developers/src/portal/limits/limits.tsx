import type { AnswerOf } from '../api/client.ts'
import { useRead } from '../api/queries.ts'
import { Facts } from '../kit/facts.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Page, Section } from '../kit/page.tsx'
import { inWords } from '../kit/words.ts'
import { When, zoneName } from '../kit/when.tsx'

type Known = AnswerOf<'getLimits'>

const number = (value: number) => value.toLocaleString('en-US')

/** What is left of the limits, in plain words. */
export function Limits() {
  const limits = useRead('getLimits', {}, { every: 5_000 })
  return (
    <Page
      title="Limits"
      says={
        <>
          All your programs share these, and this portal with them. <a href="/guides/limits/">What to do at a limit</a>
        </>
      }
    >
      <Loaded query={limits}>{(known) => <Shown limits={known} />}</Loaded>
    </Page>
  )
}

function Shown({ limits }: { limits: Known }) {
  const { sustainedPerSecond, burst, burstRemaining, dailyQuota, dailyUsed, dailyRemaining } = limits
  const full = Math.ceil((burst - burstRemaining) / sustainedPerSecond)
  return (
    <>
      {!limits.enforced && (
        <p className="note" data-tone="warn">
          Limits are switched off here, so nothing is refused.
        </p>
      )}
      <Section title="Right now">
        <Gauge
          label="Calls that you may make at once"
          left={burstRemaining}
          of={burst}
          says={`${number(burstRemaining)} of ${number(burst)} left`}
        />
        <p>
          You may make {number(burst)} calls at once. Each second gives {number(sustainedPerSecond)} back, so that is
          also the speed that you can keep up for long.{' '}
          {full > 0 ? `In ${full} s all are back, if nothing is called.` : 'All of them are there now.'}
        </p>
        {limits.burstCountedBy === 'THIS_PROCESS' && (
          <p className="soft">The service counts these in each of its processes; this is the one that answered.</p>
        )}
      </Section>
      <Section title="Today">
        <Gauge
          label="Calls today"
          left={dailyRemaining}
          of={dailyQuota}
          says={`${number(dailyRemaining)} of ${number(dailyQuota)} left`}
        />
        <p>
          {number(dailyUsed)} calls are used. The count begins anew <When at={limits.dailyResetsOn} zone />
          {zoneName() === 'UTC' ? '.' : ', at 00:00 UTC.'}
        </p>
      </Section>
      <Facts facts={[['Tier', inWords(limits.tier)]]} />
    </>
  )
}

/** How much is left: full is good. */
function Gauge({ label, left, of, says }: { label: string; left: number; of: number; says: string }) {
  return (
    <div className="gauge">
      <span>
        {label} <strong className="numbers">{says}</strong>
      </span>
      <meter aria-label={label} min={0} max={of} low={of * 0.1} high={of * 0.25} optimum={of} value={left}>
        {says}
      </meter>
    </div>
  )
}
