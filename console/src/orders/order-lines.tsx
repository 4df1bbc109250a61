import { Alert, Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { read } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { useUrlState } from '../kit/filters.tsx'
import { Money } from '../kit/money.tsx'
import { inWords, Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { LineDetail } from './line-detail.tsx'
import { inPieces, refundedOfLine, useOrderMoney } from './money-of-order.ts'
import classes from './order.module.css'
import type { Line, Order } from './order.ts'

/** The lines, of which one is opened in place. */
export function OrderLines({ order }: { order: Order }) {
  const [{ line: opened }, set] = useUrlState()
  const environment = useEnvironment()
  // Only works know when a line is late, and have a small picture of it.
  const works = useQuery(
    read(
      environment,
      'listLines',
      { query: { orderNumber: order.orderNumber, limit: 200 } },
      { live: ['line', 'order'] },
    ),
  )
  const toEnter = useQuery(
    read(
      environment,
      'listLines',
      { query: { orderNumber: order.orderNumber, proofMissing: true, limit: 200 } },
      { live: ['line', 'order'] },
    ),
  )
  const money = useOrderMoney(order)
  const isThere = order.lines.some(({ lineNumber }) => String(lineNumber) === opened)
  return (
    <>
      {opened !== undefined && !isThere && (
        <Alert color="yellow" role="alert" p="xs" my="xs">
          {`Order ${order.orderNumber} has no line ${opened}.`}
        </Alert>
      )}
      <ul className={classes.lines} aria-label="Lines">
        {order.lines.map((line) => {
          const isOpened = String(line.lineNumber) === opened
          const atWork = works.data?.lines.find(({ lineNumber }) => lineNumber === line.lineNumber)
          return (
            <li key={line.lineNumber} data-opened={isOpened || undefined}>
              <LineRow
                line={line}
                order={order}
                preview={atWork?.preview ?? line.proofs.findLast(({ active }) => active)?.previewLink}
                daysLate={atWork?.daysLate}
                refunded={refundedOfLine(money.data, line.lineNumber)}
                isOpened={isOpened}
                onOpen={() => set({ line: isOpened ? undefined : String(line.lineNumber) })}
              />
              {isOpened && (
                <LineDetail
                  order={order}
                  line={line}
                  assignee={atWork?.assignee}
                  needsProof={toEnter.data?.lines.some(({ lineNumber }) => lineNumber === line.lineNumber) ?? false}
                />
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}

type RowProps = {
  line: Line
  order: Order
  preview: string | null | undefined
  daysLate: number | null | undefined
  refunded: ReturnType<typeof refundedOfLine>
  isOpened: boolean
  onOpen: () => void
}

function LineRow({ line, order, preview, daysLate, refunded, isOpened, onOpen }: RowProps) {
  const due = line.shipBy ?? line.estimatedShipBy
  return (
    <div className={classes.row}>
      <div className={classes.picture}>
        {preview ? <img src={preview} alt="" loading="lazy" /> : <span>{line.lineNumber}</span>}
      </div>
      <div className={classes.what}>
        <button type="button" className={classes.open} aria-expanded={isOpened} onClick={onOpen} dir="auto">
          {line.jobName ?? line.productName}
        </button>
        <div className={classes.soft}>
          {line.quantity} × {line.productCode} <At to={`/catalog/${line.productId}`}>{line.productName}</At>
        </div>
        <div className={classes.marks}>
          {line.reprintOf !== null && <Badge variant="light">Reprint of line {line.reprintOf}</Badge>}
          {!line.shownToPartner && (
            <Badge variant="light" color="gray">
              Not shown to the partner
            </Badge>
          )}
          {line.priority !== 'NORMAL' && <Status value={line.priority} />}
          {line.problem !== null && <Status value="FAILED" label={`Problem: ${line.problem}`} />}
          {line.heldAt !== null && <Status value="ON_HOLD" label="On hold" />}
        </div>
      </div>
      <div className={classes.states}>
        <Status
          value={line.cancelledOn ? 'CANCELLED' : line.shippedOn ? 'SHIPPED' : (line.productionStatus ?? 'NOT_STARTED')}
        />
        {line.proofStatus !== null && (
          <Status value={line.proofStatus} label={`Proof: ${inWords(line.proofStatus).toLowerCase()}`} />
        )}
      </div>
      <div className={classes.due}>
        {due && (
          <>
            Due <When at={due} short />
            {daysLate !== null && daysLate !== undefined && daysLate > 0 && (
              <div className={classes.late}>{daysLate} days late</div>
            )}
          </>
        )}
      </div>
      <div className={classes.amount}>
        <Money amount={line.lineTotal} currency={order.currency} />
        {refunded && (
          <div className={classes.soft}>
            refunded <Money amount={refunded.amount} currency={order.currency} />
            {refunded.pieces > 0 && ` for ${inPieces(refunded.pieces)}`}
          </div>
        )}
      </div>
    </div>
  )
}
