import { parentPort, workerData } from 'node:worker_threads'
import type { SeedThreadAnswer, SeedThreadData } from './seed-apart.ts'
import { DemoRefused, seedDemo } from './seed.ts'

const { databaseUrl, options } = workerData as SeedThreadData

async function answer(): Promise<SeedThreadAnswer> {
  try {
    return { manifest: await seedDemo(databaseUrl, { ...options, masterKey: Buffer.from(options.masterKey, 'hex') }) }
  } catch (error) {
    if (error instanceof DemoRefused) return { refused: error.message }
    throw error
  }
}

parentPort!.postMessage(await answer())
