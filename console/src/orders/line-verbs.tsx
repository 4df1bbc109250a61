import { FileInput, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { dayAt, endOfWork } from '../kit/days.ts'
import { ChoiceField, Form, LongField, TextField, useForm } from '../kit/form.tsx'
import { numberTyped } from '../kit/number.ts'
import { noReason, ReasonFields, reasonGiven } from '../kit/reasons.tsx'
import { inWords } from '../kit/status.tsx'
import { asking, verb, Verbs, type Verb } from '../kit/verbs.tsx'
import { useZone } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { printing } from './documents.tsx'
import { hasArtwork, isOpen, newReference, type Line, type Order } from './order.ts'
import { priorityChoices, type Priority } from './order-verbs.tsx'
import { uploadFile } from './upload.ts'
import { SubmitRow } from './submit-row.tsx'

type Asked = { order: Order; line: Line; close: () => void }

/**
 * What may be done with a line; the next sensible verb is a button. Where nothing is to be done, there is only the menu.
 * @param needsProof its product asks for a proof, and it is not in proofing yet
 */
export function LineVerbs({ order, line, needsProof }: { order: Order; line: Line; needsProof: boolean }) {
  const path = { orderNumber: order.orderNumber, lineNumber: line.lineNumber }
  const open = isOpen(line)
  const isHeld = line.productionStatus === 'ON_HOLD'
  const isWaiting = line.proofStatus === 'PENDING_REVIEW'
  const ask = (
    op: Verb['op'],
    label: string,
    Asks: (props: Asked) => React.ReactNode,
    more: { hidden?: boolean; danger?: boolean } = {},
  ) => asking(op, label, (close) => <Asks order={order} line={line} close={close} />, more)
  const next = nextStation(line)
  const isDrawn = line.proofStatus === 'NOT_CREATED' || line.proofStatus === 'DECLINED'
  // The service would refuse to let it leave prepress.
  const isKept = line.productionStatus === 'PREPRESS' && (needsProof || isDrawn || isWaiting || !hasArtwork(line))
  const advance = (hidden: boolean) =>
    verb(
      'advanceLine',
      next ? `Advance to ${inWords(next).toLowerCase()}` : 'Advance',
      { path, body: { expects: line.productionStatus } },
      { hidden: hidden || !open || isHeld || next === undefined },
    )
  const leading = [
    verb('releaseLine', 'Release', { path }, { hidden: !isHeld }),
    verb('approveProof', 'Approve the proof', { path, body: {} }, { hidden: !isWaiting }),
    ask('declineProof', 'Decline the proof…', DeclineProof, { hidden: !isWaiting }),
    verb('putInProofing', 'Put in proofing', { path }, { hidden: !open || !needsProof }),
    verb('publishProof', 'Draw and publish the proof', { path }, { hidden: !open || !isDrawn || !hasArtwork(line) }),
    advance(isKept),
  ].filter(({ hidden }) => !hidden)
  const others = [
    verb('clearProblem', 'Clear the problem', { path }, { hidden: line.problem === null }),
    verb('putInProofing', 'Put in proofing', { path }, { hidden: !open || needsProof || line.proofStatus !== null }),
    verb('publishProof', 'Draw and publish the proof', { path }, { hidden: !open || !isDrawn || hasArtwork(line) }),
    advance(!isKept),
    ask('publishUploadedProof', 'Upload a proof…', UploadProof, {
      hidden: !open || line.proofStatus === null || line.proofStatus === 'APPROVED',
    }),
    ask('overrideGuards', 'Pass over a guard…', Override, {
      hidden: !open || line.productionStatus !== 'PREPRESS',
    }),
    ask('reportProblem', 'Report a problem…', ReportProblem, { hidden: !open || line.problem !== null }),
    ask('holdLine', 'Hold…', HoldLine, { hidden: !open || isHeld }),
    ask('setPriority', 'Priority…', SetPriority, { hidden: !open }),
    ask('setDates', 'Dates…', SetDates, { hidden: !open }),
    ask('adjustLine', 'Quantity or price…', Adjust, { hidden: !open }),
    ask('backorderLine', 'Back order…', BackOrder, { hidden: !open }),
    verb(
      'archiveProofs',
      'Archive the proofs',
      { path },
      { hidden: !line.proofs.some(({ archivedOn }) => archivedOn === null) || open },
    ),
    verb(
      'retrieveProofs',
      'Bring archived proofs back',
      { path },
      { hidden: !line.proofs.some(({ archivedOn }) => archivedOn !== null) },
    ),
    printing('drawJobTicket', 'Print job ticket', path, !open),
    ask('reprintLine', 'Reprint…', ReprintLine, { hidden: line.cancelledOn !== null || line.reprintOf !== null }),
    ask('cancelLine', 'Cancel…', CancelLine, { hidden: !open, danger: true }),
  ]
  const may = useMay()
  const led = leading.filter(({ op }) => may(op)).length
  return (
    <Verbs
      // A decision has two sides; of all else the first is enough.
      first={Math.min(led, isWaiting ? 2 : 1)}
      label={`More for line ${line.lineNumber}`}
      verbs={[...leading, ...others]}
    />
  )
}

const stations = ['PREPRESS', 'QUEUED', 'PRINTING', 'FINISHING', 'PACKING', 'COMPLETE'] as const

function nextStation({ productionStatus }: Line): (typeof stations)[number] | undefined {
  if (productionStatus === null) return 'PREPRESS'
  const at = stations.indexOf(productionStatus as (typeof stations)[number])
  return at < 0 ? undefined : stations[at + 1]
}

const pathOf = ({ order, line }: Asked) => ({ orderNumber: order.orderNumber, lineNumber: line.lineNumber })

function HoldLine(asked: Asked) {
  const form = useForm('holdLine', {
    initial: noReason,
    input: (values) => ({ path: pathOf(asked), body: reasonGiven(values) }),
    onDone: asked.close,
  })
  return (
    <Form form={form} submit={`Hold line ${asked.line.lineNumber}`} onCancel={asked.close}>
      <ReasonFields form={form} kind="hold" />
    </Form>
  )
}

function CancelLine(asked: Asked) {
  const form = useForm('cancelLine', {
    initial: noReason,
    input: (values) => ({ path: pathOf(asked), body: reasonGiven(values) }),
    onDone: asked.close,
  })
  return (
    <Form
      form={form}
      submit={`Cancel line ${asked.line.lineNumber} of order ${asked.order.orderNumber}`}
      danger
      onCancel={asked.close}
    >
      <ReasonFields form={form} kind="cancel" />
    </Form>
  )
}

function Override(asked: Asked) {
  const form = useForm('overrideGuards', {
    initial: noReason,
    input: (values) => ({ path: pathOf(asked), body: reasonGiven(values) }),
    onDone: asked.close,
  })
  return (
    <Form form={form} submit={`Send line ${asked.line.lineNumber} on, on the record`} onCancel={asked.close}>
      <ReasonFields form={form} kind="override" />
    </Form>
  )
}

function ReportProblem(asked: Asked) {
  const form = useForm('reportProblem', {
    initial: noReason,
    input: ({ reason, comment }) => ({
      path: pathOf(asked),
      body: { ...(reason && { reason }), ...(comment.trim() && { problem: comment.trim() }) },
    }),
    onDone: asked.close,
  })
  return (
    <Form form={form} submit="Report the problem" onCancel={asked.close}>
      <ReasonFields form={form} kind="problem" />
    </Form>
  )
}

function SetPriority(asked: Asked) {
  const form = useForm('setPriority', {
    initial: { priority: asked.line.priority as Priority },
    input: ({ priority }) => ({ path: pathOf(asked), body: { priority } }),
    onDone: asked.close,
  })
  return (
    <Form form={form} submit="Set priority" onCancel={asked.close}>
      <ChoiceField form={form} name="priority" label="Priority" data={priorityChoices} />
    </Form>
  )
}

function SetDates(asked: Asked) {
  const { line } = asked
  const zone = useZone()
  const dayOf = (instant: string | null) => (instant === null ? '' : dayAt(instant, zone))
  const instantOf = (day: string) => (day === '' ? null : endOfWork(day, zone))
  const form = useForm('setDates', {
    initial: { estimatedShipBy: dayOf(line.estimatedShipBy), shipBy: dayOf(line.shipBy) },
    input: ({ estimatedShipBy, shipBy }) => ({
      path: pathOf(asked),
      body: {
        ...(estimatedShipBy !== dayOf(line.estimatedShipBy) && { estimatedShipBy: instantOf(estimatedShipBy) }),
        ...(shipBy !== dayOf(line.shipBy) && { shipBy: instantOf(shipBy) }),
      },
    }),
    onDone: asked.close,
  })
  return (
    <Form form={form} submit="Set dates" onCancel={asked.close}>
      <TextField form={form} name="estimatedShipBy" label="Estimated to ship by" type="date" />
      <TextField form={form} name="shipBy" label="To ship by" type="date" />
    </Form>
  )
}

function Adjust(asked: Asked) {
  const { line, order } = asked
  const form = useForm('adjustLine', {
    initial: { quantity: String(line.quantity), lineTotal: line.lineTotal ?? '' },
    input: ({ quantity, lineTotal }) => ({
      path: pathOf(asked),
      body: {
        ...(quantity !== String(line.quantity) && { quantity: numberTyped(quantity) }),
        ...(lineTotal !== (line.lineTotal ?? '') && { lineTotal }),
      },
    }),
    onDone: asked.close,
  })
  return (
    <Form form={form} submit="Adjust" onCancel={asked.close}>
      <TextField
        form={form}
        name="quantity"
        label="Quantity"
        inputMode="numeric"
        description="The price follows in proportion, unless another one stands below."
      />
      {line.lineTotal !== null && (
        <TextField form={form} name="lineTotal" label={`Price of the line, ${order.currency}`} inputMode="decimal" />
      )}
    </Form>
  )
}

function BackOrder(asked: Asked) {
  const form = useForm('backorderLine', {
    initial: { pieces: asked.line.backorderQuantity === null ? '' : String(asked.line.backorderQuantity) },
    input: ({ pieces }) => ({
      path: pathOf(asked),
      body: { pieces: pieces.trim() === '' ? null : numberTyped(pieces) },
    }),
    onDone: asked.close,
  })
  return (
    <Form form={form} submit="Set the back order" onCancel={asked.close}>
      <TextField
        form={form}
        name="pieces"
        label="Pieces that are owed"
        inputMode="numeric"
        description="Left empty: it is not known."
      />
    </Form>
  )
}

function DeclineProof(asked: Asked) {
  const environment = useEnvironment()
  const offered = useQuery(read(environment, 'listOfferedDenialReasons', { path: pathOf(asked) }))
  const form = useForm('declineProof', {
    initial: noReason,
    input: (values) => ({ path: pathOf(asked), body: reasonGiven(values) }),
    onDone: asked.close,
  })
  return (
    <Form form={form} submit="Decline for the customer" danger onCancel={asked.close}>
      <ChoiceField
        form={form}
        name="reason"
        label="Reason"
        required
        data={(offered.data?.reasons ?? []).map(({ code, label }) => ({ value: code, label }))}
      />
      <LongField form={form} name="comment" label="Comment" />
    </Form>
  )
}

function ReprintLine(asked: Asked) {
  const { line, order } = asked
  const form = useForm('reprintLine', {
    initial: { quantity: String(line.quantity), proof: 'NONE', charge: '', reference: newReference(), ...noReason },
    input: ({ quantity, proof, charge, reference, ...why }) => ({
      path: pathOf(asked),
      body: {
        quantity: numberTyped(quantity),
        proof: proof as 'NONE' | 'OWN',
        ...(charge && { charge }),
        reference,
        ...reasonGiven(why),
      },
    }),
    onDone: asked.close,
  })
  return (
    <Form form={form} submit={`Reprint line ${line.lineNumber}`} onCancel={asked.close}>
      <TextField form={form} name="quantity" label="Pieces" inputMode="numeric" required />
      <ChoiceField
        form={form}
        name="proof"
        label="Proof"
        data={[
          { value: 'NONE', label: 'The approved proof stands' },
          { value: 'OWN', label: 'A proof of its own' },
        ]}
      />
      {line.lineTotal !== null && (
        <TextField
          form={form}
          name="charge"
          label={`Charge, ${order.currency}`}
          inputMode="decimal"
          description="Left empty: it is free."
        />
      )}
      <ReasonFields form={form} kind="reprint" />
      <TextField
        form={form}
        name="reference"
        label="Case number"
        required
        description="Yours, or this one. The same one reprints only once."
      />
    </Form>
  )
}

/** A proof that was made elsewhere: a PDF, and a picture of it. */
function UploadProof(asked: Asked) {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const [pdf, setPdf] = useState<File | null>(null)
  const [picture, setPicture] = useState<File | null>(null)
  const publish = useMutation({
    mutationFn: async () => {
      const path = pathOf(asked)
      const [file, preview] = await Promise.all([
        uploadFile(environment, path, pdf!, pdf!.name),
        uploadFile(environment, path, picture!, picture!.name),
      ])
      return call('publishUploadedProof', environment, { path, body: { file, preview } })
    },
    onSuccess: async () => {
      await queries.invalidateQueries()
      asked.close()
    },
  })
  return (
    <Stack gap="sm">
      <FileInput label="Proof, a PDF" accept="application/pdf" value={pdf} onChange={setPdf} size="xs" required />
      <FileInput
        label="Its picture, a PNG"
        accept="image/png"
        value={picture}
        onChange={setPicture}
        size="xs"
        required
      />
      <SubmitRow
        label="Publish the proof"
        error={publish.error}
        isPending={publish.isPending}
        isDisabled={!pdf || !picture}
        onSubmit={() => publish.mutate()}
        onCancel={asked.close}
      />
    </Stack>
  )
}
