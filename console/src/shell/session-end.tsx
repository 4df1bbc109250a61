import { Modal, Text } from '@mantine/core'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { whenSessionEnds } from '../api/api.ts'
import { useSession } from '../api/session.ts'

// Few sessions end in front of a page, so the form is read when one does.
const SignInForm = lazy(async () => ({ default: (await import('./sign-in-form.tsx')).SignInForm }))

/** A session that ends in the middle of something is begun again in front of the page, so that nothing typed is lost. */
export function SessionEnd() {
  const { username } = useSession()
  const [hasEnded, setHasEnded] = useState(false)
  const waiting = useRef<(() => void)[]>([])
  useEffect(() => {
    whenSessionEnds(() => {
      setHasEnded(true)
      return new Promise((resolve) => void waiting.current.push(resolve))
    })
  }, [])
  const goOn = () => {
    setHasEnded(false)
    for (const resolve of waiting.current.splice(0)) resolve()
  }
  return (
    <Modal
      opened={hasEnded}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session ended. Sign in again to go on."
      centered
    >
      <Text size="sm" mb="sm">
        What you had asked for is then done.
      </Text>
      <Suspense>
        <SignInForm username={username} onSignedIn={goOn} />
      </Suspense>
    </Modal>
  )
}
