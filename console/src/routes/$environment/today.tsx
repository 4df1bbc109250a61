import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { read } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { FilterBar, FilterChoice, useUrlState } from '../../kit/filters.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { useEnvironment } from '../../shell/environment.ts'
import { useSiteFilter } from '../../shell/sites.ts'
import { DayPlot } from '../../today/day-plot.tsx'
import { QueueList } from '../../today/queue-list.tsx'
import { queuesOf } from '../../today/queues.ts'
import classes from '../../today/today.module.css'

export const Route = createFileRoute('/$environment/today')({ component: TodayPage })

/** What waits for whom, and since when. */
function TodayPage() {
  const environment = useEnvironment()
  const siteId = useSiteFilter()
  const [{ fulfilmentCenterId: center }] = useUrlState()
  const fulfilmentCenterId = Number(center) > 0 ? Number(center) : undefined
  const today = useQuery(
    read(
      environment,
      'readToday',
      { query: { siteId, fulfilmentCenterId } },
      { live: ['order', 'line', 'shipment', 'inspection', 'submission'] },
    ),
  )
  return (
    <>
      <PageHead title="Today" />
      <PlantFilter />
      <Loaded query={today}>
        {(answer) => (
          <>
            <div className={classes.plots}>
              <DayPlot
                title="Shipped"
                unit="lines"
                days={answer.days.map(({ day, shipped }) => ({ day, value: shipped }))}
              />
              <DayPlot
                title="Shipped late"
                unit="lines late"
                days={answer.days.map(({ day, shippedLate }) => ({ day, value: shippedLate }))}
              />
            </div>
            <div className={classes.page}>
              {queuesOf(answer).map((group) => (
                <QueueList key={group.name} group={group} />
              ))}
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}

/** The plants, for who may know them. */
function PlantFilter() {
  const environment = useEnvironment()
  const may = useMay()
  const plants = useQuery({
    ...read(environment, 'listFulfilmentCenters', {}),
    enabled: may('listFulfilmentCenters'),
  })
  if (!plants.data) return null
  return (
    <FilterBar>
      <FilterChoice
        name="fulfilmentCenterId"
        label="Plant"
        width={220}
        data={plants.data.fulfilmentCenters.map(({ fulfilmentCenterId, name }) => ({
          value: String(fulfilmentCenterId),
          label: name,
        }))}
      />
    </FilterBar>
  )
}
