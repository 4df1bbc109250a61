import { Worker } from 'node:worker_threads'
import type { CastManifest } from './cast/cast.ts'
import { DemoRefused } from './demo-refused.ts'
import type { Seeded, SeedNews, SeedOptions } from './seed.ts'

/** Input and output of the seeding thread: plain data, because instances of classes cannot be passed. */
export type SeedThreadData = {
  databaseUrl: string
  options: Omit<SeedOptions, 'masterKeys'> & { masterKeys: readonly string[] }
}
export type SeedThreadAnswer =
  | { manifest: CastManifest; demoKey: string }
  | { refused: string }
  | { done: number }
  | { madeOn: string }

/**
 * Seeds in a thread of its own: making the crowd takes a lot of memory once, which goes when the thread ends.
 * @throws DemoRefused when the database holds anything else
 */
export function seedApart(databaseUrl: string, options: SeedOptions, news: SeedNews): Promise<Seeded> {
  const workerData: SeedThreadData = {
    databaseUrl,
    options: { ...options, masterKeys: options.masterKeys.map((key) => key.toString('hex')) },
  }
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('seed-thread.ts', import.meta.url), { workerData })
    thread.once('error', reject)
    thread.on('message', (answer: SeedThreadAnswer) => {
      if ('done' in answer) news.tellDone(answer.done)
      else if ('madeOn' in answer) news.tellKept(answer.madeOn)
      else if ('manifest' in answer) resolve({ manifest: answer.manifest, demoKey: Buffer.from(answer.demoKey, 'hex') })
      else reject(new DemoRefused(answer.refused))
    })
  })
}
