import { Button, Group, Progress, Text } from '@mantine/core'
import { useState } from 'react'
import { call, type AnswerOf } from '../api/api.ts'
import { Refused } from '../kit/refused.tsx'
import { useEnvironment } from '../shell/environment.ts'

type Verdict = AnswerOf<'checkAuditChain'>

/** Recomputes the seal of the whole audit log, part by part, and says whether it holds. */
export function Seal() {
  const environment = useEnvironment()
  const [verdict, setVerdict] = useState<Verdict>()
  const [isChecking, setIsChecking] = useState(false)
  const [error, setError] = useState<Error>()
  const check = async () => {
    setIsChecking(true)
    setError(undefined)
    try {
      let part: Verdict | undefined
      do {
        part = await call('checkAuditChain', environment, { query: { after: part?.verifiedTo } })
        setVerdict(part)
      } while (part.holds && !part.complete)
    } catch (failure) {
      setError(failure as Error)
    } finally {
      setIsChecking(false)
    }
  }
  return (
    <Group gap="sm" role="status">
      <Button variant="default" onClick={() => void check()} loading={isChecking}>
        Check the seal
      </Button>
      {isChecking && <Progress value={100} animated w={120} aria-label="Checking" />}
      {verdict && <Text size="sm">{told(verdict)}</Text>}
      <Refused error={error} />
    </Group>
  )
}

function told({ holds, complete, verifiedTo, brokenAt }: Verdict): string {
  if (!holds) return `The seal is broken at record ${brokenAt}: it, or one before it, was changed after it was written.`
  if (!complete) return `${verifiedTo} records hold so far …`
  return `The seal holds: nothing in all ${verifiedTo} sealed records was changed or taken out.`
}
