import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { read } from '../../../../api/queries.ts'
import { At } from '../../../../kit/at.tsx'
import { Loaded } from '../../../../kit/loaded.tsx'
import { PageHead } from '../../../../kit/page-head.tsx'
import { Status } from '../../../../kit/status.tsx'
import { When } from '../../../../kit/when.tsx'
import { useEnvironment } from '../../../../shell/environment.ts'
import { CloseCount, CountSheet } from '../../../../stock/count-sheet.tsx'
import classes from '../../../../stock/count-sheet.module.css'

export const Route = createFileRoute('/$environment/stock/counts/$stockCountId')({ component: CountPage })

function CountPage() {
  const environment = useEnvironment()
  const stockCountId = Number(Route.useParams().stockCountId)
  const query = useQuery(read(environment, 'readStockCount', { path: { stockCountId } }))
  return (
    <Loaded query={query}>
      {(sheet) => (
        <>
          <PageHead
            title={`Count ${stockCountId}`}
            above={<At to="/stock/counts">Counts</At>}
            status={<Status value={sheet.closedOn === null ? 'OPEN' : 'CLOSED'} />}
            about={
              <>
                {sheet.note !== null && `${sheet.note} · `}
                {sheet.countedCount} of {sheet.rowCount} rows counted · begun by {sheet.begunBy}{' '}
                <When at={sheet.begunOn} />
                {sheet.closedOn !== null && (
                  <>
                    {' '}
                    · closed by {sheet.closedBy} <When at={sheet.closedOn} />
                  </>
                )}
              </>
            }
          />
          <Stack gap="md" className={classes.page}>
            <CountSheet sheet={sheet} />
            {sheet.closedOn === null && <CloseCount sheet={sheet} />}
          </Stack>
        </>
      )}
    </Loaded>
  )
}
