import { Button, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useChange } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { Form, TextField, useForm } from '../kit/form.tsx'
import { Refused } from '../kit/refused.tsx'
import { inWords, Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import classes from './findings.module.css'
import type { Finding, File } from './sheets.ts'
import { useEscape } from './escape.ts'
import type { Numbered } from './stage.tsx'

type Props = {
  file: File
  findings: readonly Numbered[]
  selected: number | null
  onSelect: (number: number | null) => void
  /** the finding for which a reason is being asked */
  waiving: number | null
  onWaive: (number: number | null) => void
}

/** What the inspection found, gravest first, and what is asked for. */
export function Findings({ file, findings, selected, onSelect, waiving, onWaive }: Props) {
  if (file.status === 'queued' || file.status === 'inspecting')
    return <Text size="sm">The file is being inspected. What is found appears by itself.</Text>
  if (findings.length === 0) return <Text size="sm">Nothing was found. The file can be printed as it is.</Text>
  return (
    <ol className={classes.findings}>
      {findings.map((each) => (
        <OneFinding
          key={each.number}
          {...each}
          inspectionId={file.inspectionId}
          isSelected={each.number === selected}
          onSelect={() => onSelect(each.number === selected ? null : each.number)}
          isWaiving={each.number === waiving}
          onWaive={(isAsked) => onWaive(isAsked ? each.number : null)}
        />
      ))}
    </ol>
  )
}

function OneFinding({
  number,
  finding,
  inspectionId,
  isSelected,
  onSelect,
  isWaiving,
  onWaive,
}: Numbered & {
  inspectionId: string
  isSelected: boolean
  onSelect: () => void
  isWaiving: boolean
  onWaive: (isAsked: boolean) => void
}) {
  const may = useMay()
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isSelected])
  const { severity, code, page, count, message, fix, waiver } = finding
  return (
    <li ref={row} className={classes.finding} data-selected={isSelected || undefined}>
      <button type="button" className={classes.head} aria-pressed={isSelected} onClick={onSelect}>
        <span className={classes.number}>{number}</span>
        <Status value={waiver ? 'info' : severity} label={waiver ? 'Waived' : inWords(severity)} />
        <span className={classes.code}>
          {inWords(code)}
          {count > 1 && ` × ${count}`}
          {page !== null && `, page ${page}`}
        </span>
      </button>
      <div className={classes.body}>
        <p>{message}</p>
        <Measured finding={finding} />
        {!waiver && severity !== 'info' && <p className={classes.fix}>{fix}</p>}
        {waiver && (
          <p className={classes.fix}>
            “{waiver.reason}” · <When at={waiver.waivedOn} />
          </p>
        )}
        {waiver && may('unwaiveFinding') && <TakeBack finding={finding} inspectionId={inspectionId} />}
        {isWaivable(finding) && may('waiveFinding') && !isWaiving && (
          <Button variant="default" size="compact-xs" onClick={() => onWaive(true)}>
            Waive…
          </Button>
        )}
        {isWaiving && <Waive finding={finding} inspectionId={inspectionId} close={() => onWaive(false)} />}
      </div>
    </li>
  )
}

/** What is only good to know needs no waiver. */
export function isWaivable({ severity, waiver }: Finding): boolean {
  return waiver === null && severity !== 'info'
}

function Measured({ finding: { found, wanted, unit } }: { finding: Finding }) {
  if (found === null && wanted === null) return null
  const withUnit = (value: string) => (unit ? `${value} ${unit}` : value)
  return (
    <p className={classes.measured}>
      {found !== null && `Found ${withUnit(found)}`}
      {found !== null && wanted !== null && ' · '}
      {wanted !== null && `wanted ${withUnit(wanted)}`}
    </p>
  )
}

const nameOf = ({ code, page, subject }: Finding) => ({ code: code as never, page, subject })

function Waive({ finding, inspectionId, close }: { finding: Finding; inspectionId: string; close: () => void }) {
  const form = useForm('waiveFinding', {
    initial: { reason: '' },
    input: ({ reason }) => ({ path: { inspectionId }, body: { ...nameOf(finding), reason } }),
    onDone: close,
  })
  const frame = useRef<HTMLDivElement>(null)
  useEscape(close)
  useEffect(() => {
    frame.current?.querySelector('input')?.focus()
  }, [])
  return (
    <div ref={frame}>
      <Form form={form} submit="Waive this finding" onCancel={close}>
        <TextField form={form} name="reason" label="Why it does not matter" required />
      </Form>
    </div>
  )
}

function TakeBack({ finding, inspectionId }: { finding: Finding; inspectionId: string }) {
  const change = useChange('unwaiveFinding')
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        loading={change.isPending}
        onClick={() => change.mutate({ path: { inspectionId }, body: nameOf(finding) })}
      >
        Take the waiver back
      </Button>
      <Refused error={change.error} />
    </>
  )
}
