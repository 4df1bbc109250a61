import { Box, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { call, type Environment } from '../api/api.ts'
import { At } from '../kit/at.tsx'
import { Facts } from '../kit/facts.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Status } from '../kit/status.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { Due } from './due.tsx'
import { LineVerbs, type Outcomes } from './line-verbs.tsx'
import { PrintPapers } from './print-papers.tsx'
import { WrongScan } from './scan.tsx'
import { columnName, nameOf, nextOf, type ColumnId, type Line, type Station } from './stations.ts'

/**
 * One line.
 * @param name `1010033-2`
 * @param news what came of its last change
 * @param isScanned its next verb is ready for Enter: who scans a ticket has it in hand
 */
export function LineDetail({
  name,
  isScanned,
  isEditor,
  isMoving,
  news,
  onMove,
  tell,
}: {
  name: string
  isScanned: boolean
  isEditor: boolean
  isMoving: boolean
  news: ReactNode
  onMove: (line: Line, to: Station) => void
  tell: (lines: readonly Line[], outcomes: Outcomes) => void
}) {
  const environment = useEnvironment()
  const query = useQuery({
    queryKey: [environment, 'listLines', 'one', name] as const,
    queryFn: () => lineNamed(environment, name),
    meta: { live: ['line', 'order', 'shipment'] },
  })
  return (
    <Loaded query={query}>
      {(line) =>
        line === null ? (
          <WrongScan>{`There is no line ${name}.`}</WrongScan>
        ) : (
          <Shown
            key={nameOf(line)}
            line={line}
            isScanned={isScanned}
            isEditor={isEditor}
            isMoving={isMoving}
            news={news}
            onMove={onMove}
            tell={tell}
          />
        )
      }
    </Loaded>
  )
}

/** null = there is none */
async function lineNamed(environment: Environment, name: string): Promise<Line | null> {
  const [orderNumber, lineNumber] = name.split('-').map(Number)
  if (!orderNumber || !lineNumber) return null
  let cursor: string | undefined
  do {
    const page = await call('listLines', environment, { query: { orderNumber, open: false, limit: 200, cursor } })
    const found = page.lines.find((line) => line.lineNumber === lineNumber)
    if (found) return found
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return null
}

function Shown({
  line,
  isScanned,
  isEditor,
  isMoving,
  news,
  onMove,
  tell,
}: Omit<Parameters<typeof LineDetail>[0], 'name'> & { line: Line }) {
  const next = nextOf(line)
  const verb = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isScanned) verb.current?.focus()
  }, [isScanned])
  return (
    <>
      {/* It keeps its place when there is nothing to advance to, so that no other button comes under the pointer. */}
      {isEditor && (
        <Button
          ref={verb}
          size="md"
          mb="xs"
          fullWidth
          disabled={!next}
          loading={isMoving}
          onClick={() => next && onMove(line, next)}
        >
          {next ? `Advance to ${columnName(next).toLowerCase()}` : columnName(line.productionStatus as ColumnId)}
        </Button>
      )}
      <Group gap="xs" mb="sm">
        {isEditor && <LineVerbs lines={[line]} tell={(outcomes) => tell([line], outcomes)} />}
        <PrintPapers lines={[line]} />
      </Group>
      {news && <Box mb="sm">{news}</Box>}
      {line.preview !== null && <img src={line.preview} alt="" style={{ maxWidth: '100%', maxHeight: 220 }} />}
      <Facts
        facts={[
          [
            'Station',
            line.productionStatus === null ? 'Not started' : <Status key="s" value={line.productionStatus} />,
          ],
          ['Product', `${line.quantity} × ${line.productName}`],
          ['Job', line.jobName],
          ['Due', <Due key="d" line={line} isNamed />],
          ['Proof', <Status key="p" value={line.proofStatus} />],
          ['Priority', <Status key="r" value={line.priority} />],
          ['Assigned to', line.assignee],
          ['Problem', line.problem],
          [
            'Held',
            line.held &&
              [line.held === 'ORDER' ? 'The order' : 'The line', line.heldReason, line.heldComment]
                .filter(Boolean)
                .join(' · '),
          ],
          ['Partner', line.partnerName],
          [
            'Order',
            <At
              key="o"
              to={`/orders/${line.orderNumber}/lines/${line.lineNumber}`}
            >{`Order ${line.orderNumber}, line ${line.lineNumber}`}</At>,
          ],
        ]}
      />
    </>
  )
}
