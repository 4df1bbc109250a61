import { parentPort } from 'node:worker_threads'
import type { DrawingTask } from './draw-apart.ts'

/** The thread in which documents are drawn, one after another. A drawing that throws ends it. */
parentPort!.on('message', async ({ module, input }: DrawingTask) => {
  const { draw } = (await import(module)) as { draw: (input: unknown) => unknown }
  parentPort!.postMessage(await draw(input))
})
