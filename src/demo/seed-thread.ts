import { parentPort, workerData } from 'node:worker_threads'
import type { SeedThreadAnswer, SeedThreadData } from './seed-apart.ts'
import { DemoRefused } from './demo-refused.ts'
import { seedAll, type Seeding } from './seed.ts'

const tell = (news: SeedThreadAnswer): void => parentPort!.postMessage(news)

async function answer(): Promise<SeedThreadAnswer> {
  try {
    const seeded = await seedAll((workerData as SeedThreadData).map(readSeeding), (environment) => ({
      tellDone: (done) => tell({ environment, done }),
      tellKept: (madeOn) => tell({ environment, madeOn }),
    }))
    return { seeded: seeded.map(({ manifest, demoKey }) => ({ manifest, demoKey: demoKey.toString('hex') })) }
  } catch (error) {
    if (error instanceof DemoRefused) return { refused: error.message }
    throw error
  }
}

function readSeeding({ databaseUrl, options }: SeedThreadData[number]): Seeding {
  const [first, ...others] = options.masterKeys.map((key) => Buffer.from(key, 'hex'))
  return { databaseUrl, options: { ...options, masterKeys: [first!, ...others] } }
}

tell(await answer())
