import { Worker } from 'node:worker_threads'
import type { Environment } from '../vocabulary/environment.ts'
import type { CastManifest } from './cast/cast.ts'
import { DemoRefused } from './demo-refused.ts'
import type { Seeded, Seeding, SeedNews, SeedOptions } from './seed.ts'

/** Input and output of the seeding thread: plain data, because instances of classes cannot be passed. */
export type SeedThreadData = readonly {
  databaseUrl: string
  options: Omit<SeedOptions, 'masterKeys'> & { masterKeys: readonly string[] }
}[]
export type SeedThreadAnswer =
  | { seeded: readonly { manifest: CastManifest; demoKey: string }[] }
  | { refused: string }
  | { environment: Environment; done: number }
  | { environment: Environment; madeOn: string }

/**
 * Does `seedAll` in a thread of its own: making the crowd and drawing files takes a lot of memory once, which goes when
 * the thread ends.
 * @throws DemoRefused when a database holds anything else
 */
export function seedApart(
  seedings: readonly Seeding[],
  newsOf: (environment: Environment) => SeedNews,
): Promise<Seeded[]> {
  const workerData: SeedThreadData = seedings.map(({ databaseUrl, options }) => ({
    databaseUrl,
    options: { ...options, masterKeys: options.masterKeys.map((key) => key.toString('hex')) },
  }))
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('seed-thread.ts', import.meta.url), { workerData })
    thread.once('error', reject)
    thread.on('message', (answer: SeedThreadAnswer) => {
      if ('done' in answer) newsOf(answer.environment).tellDone(answer.done)
      else if ('madeOn' in answer) newsOf(answer.environment).tellKept(answer.madeOn)
      else if ('refused' in answer) reject(new DemoRefused(answer.refused))
      else resolve(answer.seeded.map(({ manifest, demoKey }) => ({ manifest, demoKey: Buffer.from(demoKey, 'hex') })))
    })
  })
}
