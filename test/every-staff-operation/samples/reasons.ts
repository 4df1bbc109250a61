import type { Samples } from '../samples.ts'

export const reasonSamples: Samples = {
  readReasons: () => ({ path: { reasonKind: 'hold' } }),
  replaceReasons: () => ({
    path: { reasonKind: 'reprint' },
    body: {
      reasons: [
        { code: 'DAMAGED', label: 'Arrived damaged' },
        { code: 'LOST', label: 'Lost on the way', description: 'The carrier has confirmed it.' },
        { code: 'COLOR_SHIFT', label: 'Colors are off' },
        { code: 'OTHER', label: 'Other', active: false },
      ],
    },
  }),
}
