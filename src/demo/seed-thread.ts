import { parentPort, workerData } from 'node:worker_threads'
import type { SeedThreadAnswer, SeedThreadData } from './seed-apart.ts'
import { DemoRefused, seedDemo } from './seed.ts'

const { databaseUrl, options } = workerData as SeedThreadData

const tell = (news: SeedThreadAnswer): void => parentPort!.postMessage(news)

async function answer(): Promise<SeedThreadAnswer> {
  try {
    const masterKey = Buffer.from(options.masterKey, 'hex')
    const manifest = await seedDemo(
      databaseUrl,
      { ...options, masterKey },
      { tellDone: (done) => tell({ done }), tellKept: (madeOn) => tell({ madeOn }) },
    )
    return { manifest }
  } catch (error) {
    if (error instanceof DemoRefused) return { refused: error.message }
    throw error
  }
}

tell(await answer())
