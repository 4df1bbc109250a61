import { Button, Code, Stack, Text, Title } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useIsAway } from '../api/reach.ts'
import { isRefusal, Refusal } from '../api/problems.ts'
import { GoOn } from './go-on.tsx'
import { useTitle } from './title.ts'

/** A read that failed, with what to do about it. Where it is all that a page has to show, it is the page's head. */
export function Failed({ error, retry }: { error: Error; retry?: () => void }) {
  const isKnown = error instanceof Refusal
  const own = useRef<HTMLHeadingElement>(null)
  const [isPage, setIsPage] = useState(false)
  const heading = headingOf(error, isPage)
  useLayoutEffect(() => {
    const others = [...document.querySelectorAll('h1')].filter((each) => each !== own.current)
    setIsPage(others.length === 0)
  }, [])
  useTitle(isPage ? heading : undefined)
  useOnceBack(retry)
  return (
    <Stack p="lg" gap="xs" align="flex-start" role="alert">
      <Title order={isPage ? 1 : 2} ref={own}>
        {heading}
      </Title>
      <Text size="sm">{error.message}</Text>
      {isKnown && error.status >= 500 && (
        <Text size="xs">
          Request <Code>{error.requestId}</Code>
        </Text>
      )}
      {retry && (!isKnown || error.status >= 500) && (
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      )}
      {isPage && isKnown && error.status < 500 && <GoOn />}
    </Stack>
  )
}

/** A service that went away and came back is asked again without a press. */
function useOnceBack(retry: (() => void) | undefined): void {
  const isAway = useIsAway()
  const wasAway = useRef(false)
  useEffect(() => {
    if (wasAway.current && !isAway) retry?.()
    wasAway.current = isAway
  }, [isAway, retry])
}

function headingOf(error: Error, isPage: boolean): string {
  if (isRefusal(error, 'not_permitted')) return 'Not for your roles'
  const { status } = error instanceof Refusal ? error : { status: 0 }
  // The address of a record that is no number of any leads nowhere either.
  if (status === 404 || (status === 400 && isPage)) return 'There is no such record'
  return 'This cannot be shown now'
}
