import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ArtworkEngine, ArtworkFile } from '../../src/artwork/engine.ts'
import type { EngineReport } from '../../src/artwork/reports.ts'

/** An engine that tells what a test wants, and what it was asked. */
export type ScriptedEngine = ArtworkEngine & {
  /** the MD5 of each file that it was given and read to the end, in order */
  inspected: string[]
  /** what it tells of the next file, instead of `aPassedCard` */
  next: (tell: (signal: AbortSignal | undefined) => AsyncIterable<EngineReport>) => void
}

/** What is told of a card without faults. */
export const cardFindings: Extract<EngineReport, { kind: 'findings' }> = {
  kind: 'findings',
  mediaType: 'application/pdf',
  readable: true,
  findings: [],
  pages: [{ page: 1, width: 270, height: 162, trimBox: [9, 9, 261, 153], bleedBox: [0, 0, 270, 162] }],
}

export const cardPicture = (of: 'small' | 'medium'): EngineReport => ({
  kind: 'picture',
  page: 1,
  of,
  width: 240,
  height: 144,
  png: Buffer.from(`the ${of} picture`),
})

async function* aPassedCard(): AsyncIterable<EngineReport> {
  yield cardFindings
  yield cardPicture('small')
  yield cardPicture('medium')
}

export function scriptedEngine(): ScriptedEngine {
  const inspected: string[] = []
  const wanted: Parameters<ScriptedEngine['next']>[0][] = []
  return {
    version: 'scripted',
    inspected,
    next: (tell) => void wanted.push(tell),
    async *inspect({ bytes }: ArtworkFile, signal) {
      const tell = wanted.shift() ?? aPassedCard
      const hash = createHash('md5')
      for await (const piece of bytes as Readable) hash.update(piece as Buffer)
      inspected.push(hash.digest('hex'))
      yield* tell(signal)
    },
    close: async () => undefined,
  }
}

/** An engine that finds no fault and draws nothing, for tests that look at every stored object. */
export function blindEngine(): ArtworkEngine {
  return {
    version: 'blind',
    async *inspect({ bytes }) {
      for await (const _ of bytes as Readable);
      yield { ...cardFindings, pages: [] }
    },
    close: async () => undefined,
  }
}

/** An engine that never comes to an end, for tests that write the result of an inspection themselves. */
export function endlessEngine(): ArtworkEngine {
  return {
    version: 'endless',
    async *inspect(_file, signal) {
      yield await new Promise<EngineReport>((_, reject) => {
        signal!.addEventListener('abort', () => reject(signal!.reason as Error))
      })
    },
    close: async () => undefined,
  }
}
