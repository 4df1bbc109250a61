import { parentPort, workerData } from 'node:worker_threads'
import type { SeedThreadAnswer, SeedThreadData } from './seed-apart.ts'
import { DemoRefused } from './demo-refused.ts'
import { seedDemo } from './seed.ts'

const { databaseUrl, options } = workerData as SeedThreadData

const tell = (news: SeedThreadAnswer): void => parentPort!.postMessage(news)

async function answer(): Promise<SeedThreadAnswer> {
  try {
    const [first, ...others] = options.masterKeys.map((key) => Buffer.from(key, 'hex'))
    const { manifest, demoKey } = await seedDemo(
      databaseUrl,
      { ...options, masterKeys: [first!, ...others] },
      { tellDone: (done) => tell({ done }), tellKept: (madeOn) => tell({ madeOn }) },
    )
    return { manifest, demoKey: demoKey.toString('hex') }
  } catch (error) {
    if (error instanceof DemoRefused) return { refused: error.message }
    throw error
  }
}

tell(await answer())
