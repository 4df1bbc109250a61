import { Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { read } from '../api/queries.ts'
import { Facts } from '../kit/facts.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'

/** How many calls the partner may make, and how many of them it has made. */
export function Limits({ partnerId }: { partnerId: string }) {
  const limits = useQuery({
    ...read(useEnvironment(), 'readPartnerLimits', { path: { partnerId } }),
    refetchInterval: 10_000,
  })
  return (
    <Loaded query={limits}>
      {(told) => {
        const used = told.dailyQuota === 0 ? 0 : Math.min(100, (told.dailyUsed / told.dailyQuota) * 100)
        return (
          <>
            <Progress value={used} color={used >= 80 ? 'red' : undefined} aria-label="Calls of today" mb="xs" />
            <Facts
              facts={[
                [
                  'Calls today',
                  `${told.dailyUsed.toLocaleString('en-US')} of ${told.dailyQuota.toLocaleString('en-US')}`,
                ],
                ['Begins anew', <When key="resets" at={told.dailyResetsOn} />],
                ['A second', `${told.sustainedPerSecond} for long, ${told.burst} at once`],
                [
                  'At once now',
                  `${told.burstRemaining}${told.burstCountedBy === 'THIS_PROCESS' ? ' more, by the count of one server' : ''}`,
                ],
                ...(told.enforced ? [] : ([['Note', 'Limits are switched off in this installation.']] as const)),
              ]}
            />
          </>
        )
      }}
    </Loaded>
  )
}
