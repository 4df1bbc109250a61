import type { Samples } from '../samples.ts'

export const changeSamples: Samples = {
  watchChanges: () => ({ query: 'seconds=1' }),
}
