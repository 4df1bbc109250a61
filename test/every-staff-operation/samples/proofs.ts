import type { Sample, Samples, SampleWorld } from '../samples.ts'
import { pdfBytes, placedOrder, pngBytes, uploaded } from './placed-order.ts'

function line(sample: Sample, ...steps: string[]) {
  return async (world: SampleWorld): Promise<Sample> => {
    const { orderNumber, lineNumber } = await placedOrder(world, ...steps.map((step) => `proof/${step}`))
    return { path: { orderNumber, lineNumber }, ...sample }
  }
}

export const proofSamples: Samples = {
  putInProofing: line({}),
  publishProof: line({}, 'enter'),
  publishUploadedProof: async (world) => {
    const order = await placedOrder(world, 'proof/enter')
    const { orderNumber, lineNumber } = order
    const [file, preview] = [await uploaded(world, order, pdfBytes), await uploaded(world, order, pngBytes)]
    return { path: { orderNumber, lineNumber }, body: { file, preview } }
  },
  listOfferedDenialReasons: line({}),
  approveProof: line({ body: { comment: 'Avery Stone approved by telephone' } }, 'enter', 'publish'),
  declineProof: line({ body: { reason: 'COLOR' } }, 'enter', 'publish'),
  archiveProofs: line({}, 'enter', 'publish'),
  retrieveProofs: line({}, 'enter', 'publish', 'archive'),
}
