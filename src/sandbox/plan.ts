import { magicOf } from './magic-inputs.ts'
import type { SimulatedLine, SimulatedOrder } from './simulated-order.ts'

/**
 * Plans what happens to an order in the sandbox, and when: each step follows the event it waits for by a number of
 * minutes on the partner's clock. A pure function of the order's state.
 */
export const plan = [
  { step: 'approve_order', afterMinutes: 2, when: 'the order waits for approval' },
  { step: 'enter_proofing', afterMinutes: 1, when: 'a line of a product with proofing was placed' },
  { step: 'publish_proof', afterMinutes: 3, when: 'a line is in proofing' },
  { step: 'decline_proof', afterMinutes: 2, when: 'a line named `sandbox:reproof` has its first proof' },
  { step: 'reproof', afterMinutes: 5, when: 'a proof was declined, or a newer file came after it' },
  { step: 'start_prepress', afterMinutes: 1, when: 'a line without proofing was placed' },
  { step: 'queue', afterMinutes: 2, when: 'a line without proofing, or with an approved proof, is in prepress' },
  { step: 'print', afterMinutes: 2, when: 'a line is queued' },
  { step: 'finish', afterMinutes: 4, when: 'a line is printing' },
  { step: 'pack', afterMinutes: 3, when: 'a line is finishing' },
  { step: 'put_aside', afterMinutes: 2, when: 'a line that is never shipped is packed' },
  { step: 'restock', afterMinutes: 30, when: 'a shipment is packed except for pieces on back order' },
  { step: 'ship_part', afterMinutes: 4, when: 'a shipment with a line named `sandbox:split` is packed' },
  { step: 'ship', afterMinutes: 5, when: 'everything in a shipment is packed' },
  { step: 'complete', afterMinutes: 15, when: 'everything has shipped, or is made and never ships' },
] as const

export type PlannedStep = (typeof plan)[number]['step']

/** `lineNumber` or `shipmentNumber` where the step concerns one. */
export type NextStep = { step: PlannedStep; dueOn: Date; lineNumber?: number; shipmentNumber?: number }

const minutesOf = Object.fromEntries(plan.map(({ step, afterMinutes }) => [step, afterMinutes])) as Record<
  PlannedStep,
  number
>

/** The earliest step; undefined if the order waits for people or for an inspection, or has ended. */
export function nextStep(order: SimulatedOrder): NextStep | undefined {
  const { status } = order
  if (order.held) return undefined
  if (status === 'COMPLETED' || status === 'CANCELLED' || status === 'UNKNOWN') return undefined
  if (status === 'PENDING_APPROVAL') return after('approve_order', order.updatedOn)
  const alive = order.lines.filter((line) => !line.cancelled)
  const finished = alive.every((line) => (line.shippable ? line.shipped : line.productionStatus === 'COMPLETE'))
  if (alive.length > 0 && finished) return after('complete', order.updatedOn)
  return [...alive.map(stepOfLine), ...stepsOfShipments(order, alive)]
    .filter((next) => next !== undefined)
    .toSorted((a, b) => a.dueOn.getTime() - b.dueOn.getTime())[0]
}

/** When the earliest step is due that waits for the inspection of its line's artwork; undefined if none waits. */
export function awaitedArtwork(order: SimulatedOrder): Date | undefined {
  if (order.held || order.status === 'PENDING_APPROVAL') return undefined
  return order.lines
    .filter((line) => !line.cancelled && line.problem === null && line.artwork === 'inspecting')
    .flatMap((line) => {
      const step = stepAt(line)
      return step && needsArtwork(step) ? [after(step, line.updatedOn).dueOn] : []
    })
    .toSorted((a, b) => a.getTime() - b.getTime())[0]
}

/** Whether the step waits for artwork that can be printed: a proof shows it, and the line leaves prepress with it. */
function needsArtwork(step: PlannedStep): boolean {
  return step === 'publish_proof' || step === 'reproof' || step === 'queue'
}

/** @param since when the event that the step waits for happened */
function after(step: PlannedStep, since: Date, of: Pick<NextStep, 'lineNumber' | 'shipmentNumber'> = {}): NextStep {
  return { step, dueOn: new Date(since.getTime() + minutesOf[step] * 60_000), ...of }
}

function stepOfLine(line: SimulatedLine): NextStep | undefined {
  if (line.problem !== null) return undefined
  const step = stepAt(line)
  // Artwork that needs changes waits for another file.
  if (step && needsArtwork(step) && (line.artwork === 'inspecting' || line.artwork === 'blocked')) return undefined
  return step && after(step, line.updatedOn, { lineNumber: line.lineNumber })
}

function stepAt({ proofStatus, productionStatus, ...line }: SimulatedLine): PlannedStep | undefined {
  if (proofStatus === 'NOT_CREATED') return 'publish_proof'
  if (proofStatus === 'DECLINED' || line.proofOutdated) return 'reproof'
  if (proofStatus === 'PENDING_REVIEW') {
    return magicOf('jobName', line.jobName) === 'reproof' && line.proofRevisions === 1 ? 'decline_proof' : undefined
  }
  if (proofStatus === null && line.requiresProof && (productionStatus === null || productionStatus === 'PREPRESS')) {
    return 'enter_proofing'
  }
  switch (productionStatus) {
    case null:
      return 'start_prepress'
    case 'PREPRESS':
      return 'queue'
    case 'QUEUED':
      return 'print'
    case 'PRINTING':
      return 'finish'
    case 'FINISHING':
      return 'pack'
    case 'PACKING':
      return line.shippable ? undefined : 'put_aside'
    default:
      return undefined
  }
}

/** A shipment leaves as a whole: its packed lines wait for the others. */
function stepsOfShipments(order: SimulatedOrder, alive: readonly SimulatedLine[]): (NextStep | undefined)[] {
  return order.openShipments.map(({ shipmentNumber, openedOn, items }) => {
    const packed = items.map((item) => alive.find((line) => line.lineNumber === item.lineNumber && isPacked(line)))
    if (packed.length === 0 || packed.includes(undefined)) return undefined
    const lines = packed as SimulatedLine[]
    const since = new Date(Math.max(openedOn.getTime(), ...lines.map((line) => line.updatedOn.getTime())))
    const short = lines.find((line) => (line.backorderQuantity ?? 0) > 0)
    if (short) return after('restock', since, { lineNumber: short.lineNumber })
    const isSplit = items.some((item) => splits(item, lines))
    return after(isSplit ? 'ship_part' : 'ship', since, { shipmentNumber })
  })
}

function isPacked({ productionStatus, problem }: SimulatedLine): boolean {
  return problem === null && (productionStatus === 'PACKING' || productionStatus === 'COMPLETE')
}

/** A line is split once: the rest of it leaves as a whole. */
function splits(item: { lineNumber: number; quantity: number }, lines: readonly SimulatedLine[]): boolean {
  const line = lines.find((each) => each.lineNumber === item.lineNumber)
  return item.quantity > 1 && item.quantity === line?.quantity && magicOf('jobName', line.jobName) === 'split'
}
