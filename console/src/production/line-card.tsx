import { Button, Checkbox } from '@mantine/core'
import type { MouseEvent } from 'react'
import { Status } from '../kit/status.tsx'
import { Due } from './due.tsx'
import classes from './line-card.module.css'
import { columnName, nameOf, nextOf, type Line, type Station } from './stations.ts'

/** A line on the board. @param onAdvance given where the card has a button of its own, for hands in gloves */
export function LineCard({
  line,
  isSelected,
  isOpen,
  isMoving,
  onSelect,
  onOpen,
  onAdvance,
  onDrag,
}: {
  line: Line
  /** undefined = lines are not selected here */
  isSelected: boolean | undefined
  isOpen: boolean
  isMoving: boolean
  onSelect: (withShift: boolean) => void
  onOpen: () => void
  onAdvance: ((to: Station) => void) | undefined
  /** undefined = the person moves nothing */
  onDrag: ((isBegun: boolean) => void) | undefined
}) {
  const name = nameOf(line)
  const next = nextOf(line)
  const shift = (event: MouseEvent) => event.shiftKey
  return (
    <li>
      <div
        className={classes.card}
        data-card={name}
        data-selected={isSelected || undefined}
        data-open={isOpen || undefined}
        data-moving={isMoving || undefined}
        data-large={onAdvance !== undefined || undefined}
        draggable={onDrag !== undefined && !isMoving}
        onDragStart={(event) => {
          event.dataTransfer.setData('text/plain', name)
          event.dataTransfer.effectAllowed = 'move'
          onDrag?.(true)
        }}
        onDragEnd={() => onDrag?.(false)}
      >
        <div className={classes.head}>
          {isSelected !== undefined && (
            <Checkbox
              aria-label={`Select ${name}`}
              checked={isSelected}
              onChange={() => undefined}
              onClick={(event) => onSelect(shift(event))}
              size={onAdvance ? 'md' : 'xs'}
            />
          )}
          <button type="button" className={classes.name} onClick={onOpen} aria-expanded={isOpen}>
            {name}
          </button>
          {line.priority !== 'NORMAL' && <Status value={line.priority} />}
        </div>
        <div className={classes.body}>
          {line.preview !== null && (
            <img className={classes.picture} src={line.preview} alt="" loading="lazy" draggable={false} />
          )}
          <div className={classes.what}>
            <div className={classes.product}>
              <span className="numbers">{line.quantity}</span> × {line.productName}
            </div>
            {line.jobName !== null && <div className={classes.soft}>{line.jobName}</div>}
            <div className={classes.soft}>
              {line.partnerName ?? 'No partner'}
              {line.assignee !== null && ` · ${line.assignee}`}
            </div>
            <Due line={line} />
            {line.held !== null && (
              <div className={classes.warn}>
                {line.held === 'ORDER' ? 'Order on hold' : 'On hold'}
                {line.heldReason !== null && `: ${line.heldReason}`}
              </div>
            )}
            {line.problem !== null && <div className={classes.bad}>Problem: {line.problem}</div>}
          </div>
        </div>
        {onAdvance && next && (
          <Button fullWidth h={44} mt={8} variant="default" loading={isMoving} onClick={() => onAdvance(next)}>
            {`Advance ${name} to ${columnName(next).toLowerCase()}`}
          </Button>
        )}
      </div>
    </li>
  )
}
