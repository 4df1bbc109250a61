import type { Samples } from '../samples.ts'

export const searchSamples: Samples = {
  search: () => ({ query: 'q=avery+stone' }),
}
