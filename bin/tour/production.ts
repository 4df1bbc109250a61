import { likenessToCard, sendArtwork } from './artwork.ts'
import type { Body, Visitor } from './partner.ts'
import { isSigned, type Receiver, type Told } from './receiver.ts'
import { eventually, expect, step } from './step.ts'

/** From the artwork to the delivery: the sandbox plays the print shop, days pass in moments, and webhooks report it. */
export async function watchProduction(
  visitor: Visitor,
  orderNumber: number,
  { told, secret }: Receiver,
): Promise<void> {
  const { ok, docs, guide } = visitor
  const order = `/v1/orders/${orderNumber}`
  const cards = async (): Promise<Body> => (await ok('GET', `${order}/items`)).items[0]
  const { itemNumber } = await cards()
  const line = `${order}/items/${itemNumber}`

  await sendArtwork(visitor, line)
  await step('lets an hour go by: the proof shows that card', guide('the-clock'), async () => {
    await ok('POST', '/sandbox/clock/advance', { hours: 1 })
    const proof = await ok('GET', `${line}/proof`)
    expect(proof.proofStatus === 'PENDING_REVIEW', `the proof is ${proof.proofStatus}`)
    const read = async (url: string): Promise<Buffer> => {
      const answer = await fetch(url)
      expect(answer.ok, `a link of the proof answers ${answer.status}`)
      return Buffer.from(await answer.arrayBuffer())
    }
    const file = await read(proof.files[0].link)
    const head = file.subarray(0, 5).toString()
    expect(head === '%PDF-', `the proof begins with ${head}`)
    const likeness = await likenessToCard(await read(proof.visualUrl))
    return [proof, `${proof.proofStatus}, ${Math.round(likeness * 100)} % of its picture as the card was drawn`]
  })
  await step('declines it, and the next revision comes', docs('declineProof'), async () => {
    const { reasons } = await ok('GET', `${line}/proof/denial-reasons`)
    await ok('POST', `${line}/proof/decline`, { reason: reasons[0].code, comment: 'The blue is too light.' })
    await ok('POST', '/sandbox/clock/advance', { hours: 1 })
    const { proofStatus, files } = await ok('GET', `${line}/proof`)
    expect(proofStatus === 'PENDING_REVIEW' && files.length > 1, `the proof is ${proofStatus}, ${files.length} files`)
    return [files, `${reasons[0].code}; ${files.length} files now`]
  })
  await step('approves the proof', docs('approveProof'), async () => {
    const decision = await ok('POST', `${line}/proof/approve`, {})
    return [decision, decision.proofStatus]
  })
  await step('lets ten days go by: printed, packed, shipped', guide('what-happens-by-itself'), async () => {
    await ok('POST', '/sandbox/clock/advance', { days: 10 })
    const read = await ok('GET', order)
    const { shipments } = await ok('GET', `${order}/shipments`)
    expect(read.status === 'COMPLETED', `the order is ${read.status}`)
    expect(
      shipments.every(({ status }: Body) => status === 'SHIPPED'),
      'a shipment has not left',
    )
    const [{ serviceName, packages }] = shipments
    return [read, `${read.status}, ${serviceName}, ${packages[0].trackingNumber}`]
  })
  await step('was told of it by webhooks, each signed', guide('receivers'), async () => {
    const ofOrder = (): Told[] => told.filter(({ event }) => event.orderNumber === orderNumber)
    const types = (): string[] => ofOrder().map(({ event }) => event.type as string)
    const count = (type: string): number => types().filter((each) => each === type).length
    // Placed, in production, shipped, completed.
    await eventually(
      () => count('order.status_changed') >= 4 && count('shipment.shipped') >= 1,
      () => `the receiver was told only ${types().join(', ')}`,
    )
    const unsigned = ofOrder().filter((each) => !isSigned(each, secret))
    expect(unsigned.length === 0, `${unsigned.length} deliveries are not signed with the secret`)
    return [told, types().join(' · ')]
  })
}
