import { Badge } from '@mantine/core'
import { At } from '../kit/at.tsx'
import { Facts } from '../kit/facts.tsx'
import { countOf } from '../kit/number.ts'
import { inWords, Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { LineFiles } from './line-files.tsx'
import { LineVerbs } from './line-verbs.tsx'
import classes from './order.module.css'
import type { Line, Order } from './order.ts'

/** What is known about a line, and what may be done with it. */
export function LineDetail({
  order,
  line,
  assignee,
  needsProof,
}: {
  order: Order
  line: Line
  assignee: string | null | undefined
  needsProof: boolean
}) {
  const choices = line.attributes.map(({ name, choice }) => `${name}: ${choice}`)
  return (
    <div className={classes.detail}>
      <LineVerbs order={order} line={line} needsProof={needsProof} />
      <Facts
        facts={[
          ['Item number', line.itemNumber],
          ['Kind', inWords(line.recordKind)],
          ...(choices.length > 0 ? ([['Choices', choices.join(', ')]] as const) : []),
          ['SKU', line.sku],
          ['Artwork from', inWords(line.artworkSource)],
          ['Priority', inWords(line.priority)],
          ['Assigned to', assignee ?? (line.assigneeId === null ? 'nobody' : line.assigneeId)],
          ['Estimated to ship by', <When key="estimated" at={line.estimatedShipBy} />],
          ['To ship by', <When key="by" at={line.shipBy} />],
          ...(line.backorderQuantity ? ([['Back order', countOf(line.backorderQuantity, 'piece')]] as const) : []),
          ...(line.note ? ([['Note of the customer', line.note]] as const) : []),
        ]}
      />
      {line.reprints.length > 0 && (
        <div>
          {line.reprints.map((reprint) => (
            <div key={reprint.lineNumber}>
              Reprinted as line {reprint.lineNumber}: {countOf(reprint.quantity, 'piece')}, {reprint.reference}
              {reprint.reason && `, ${inWords(reprint.reason).toLowerCase()}`}, <When at={reprint.orderedOn} />
            </div>
          ))}
        </div>
      )}
      <Proofs order={order} line={line} />
      <LineFiles order={order} line={line} />
      <Decisions line={line} />
    </div>
  )
}

function Proofs({ order, line }: { order: Order; line: Line }) {
  if (line.proofs.length === 0) return null
  return (
    <section aria-label={`Proofs of line ${line.lineNumber}`}>
      <h3>
        Proofs · <At to={`/proofs/${order.orderNumber}/${line.lineNumber}`}>Open at the proof desk</At>
      </h3>
      <ul className={classes.proofs}>
        {line.proofs.map((proof) => (
          <li key={proof.revision} data-current={proof.active}>
            {proof.previewLink && (
              <img src={proof.previewLink} alt={`Proof, revision ${proof.revision}`} loading="lazy" />
            )}
            <div>
              {proof.link ? (
                <a href={proof.link} target="_blank" rel="noreferrer">
                  Revision {proof.revision}
                </a>
              ) : (
                `Revision ${proof.revision}`
              )}{' '}
              {proof.active && <Badge variant="light">Current</Badge>}{' '}
              {proof.archivedOn && (
                <Badge variant="light" color="gray">
                  Archived
                </Badge>
              )}
            </div>
            <When at={proof.createdOn} />
          </li>
        ))}
      </ul>
      {line.proofLog.length > 0 && (
        <ul className={classes.notes} style={{ marginTop: 8 }}>
          {line.proofLog.map((entry, at) => (
            <li key={at}>
              <When at={entry.recordedOn} /> · {entry.entry}{' '}
              <span className={classes.soft}>
                ({entry.actorKind.toLowerCase()} {entry.actorId})
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Decisions({ line }: { line: Line }) {
  if (line.decisions.length + line.overrides.length === 0) return null
  return (
    <ul className={classes.notes}>
      {line.decisions.map((decision, at) => (
        <li key={`decision ${at}`}>
          <Status value={decision.kind === 'cancel' ? 'CANCELLED' : 'ON_HOLD'} label={inWords(decision.kind)} />{' '}
          {[decision.reason?.label, decision.comment].filter(Boolean).join(': ')} · <When at={decision.decidedOn} /> ·{' '}
          {decision.actorId}
        </li>
      ))}
      {line.overrides.map((override, at) => (
        <li key={`override ${at}`}>
          <Status value="WARNING" label={`Passed over: ${override.overridden.map(inWords).join(', ').toLowerCase()}`} />{' '}
          {[override.reason?.label, override.comment].filter(Boolean).join(': ')} · <When at={override.decidedOn} /> ·{' '}
          {override.actorId}
        </li>
      ))}
    </ul>
  )
}
