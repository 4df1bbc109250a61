import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** What the thread is asked: to call `draw` of a module. */
export type DrawingTask = { module: string; input: unknown }

type Draw = (input: never) => unknown

let last: Promise<unknown> = Promise.resolve()
let thread: Worker | undefined
let rest: NodeJS.Timeout | undefined
const restMilliseconds = 30_000
/** Far longer than any drawing takes, so that only one that would never end is stopped. */
const drawingMilliseconds = 60_000

/**
 * Calls a module's exported `draw` in a thread of its own, one drawing at a time, so that no request waits for it. Fonts
 * stay loaded there until nothing was drawn for a while. Input and output are copied: buffers arrive as `Uint8Array`.
 *
 * @param module such as `new URL('draw-proof.ts', import.meta.url)`
 * @param limitMilliseconds how long the drawing may take, without those before it. A drawing that takes longer ends with
 *   its thread.
 * @throws what `draw` throws, or that it took too long
 */
export function drawApart<DrawOfModule extends Draw>(
  module: URL,
  input: Parameters<DrawOfModule>[0],
  limitMilliseconds = drawingMilliseconds,
): Promise<Awaited<ReturnType<DrawOfModule>>> {
  const drawn = last.then(async (): Promise<Awaited<ReturnType<DrawOfModule>>> => {
    clearTimeout(rest)
    const busy = (thread ??= startThread())
    busy.ref()
    busy.postMessage({ module: module.href, input } satisfies DrawingTask)
    const late = Promise.withResolvers<never>()
    const limit = setTimeout(() => {
      endThread()
      late.reject(new Error(`a drawing was not done after ${limitMilliseconds} ms: ${module.pathname.slice(-80)}`))
    }, limitMilliseconds)
    try {
      const [output] = (await Promise.race([once(busy, 'message'), late.promise])) as [
        Awaited<ReturnType<DrawOfModule>>,
      ]
      return output
    } finally {
      clearTimeout(limit)
      busy.unref()
      rest = setTimeout(endThread, restMilliseconds).unref()
    }
  })
  last = drawn.catch(() => undefined)
  return drawn
}

function startThread(): Worker {
  const started = new Worker(new URL('drawing-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
  })
  started.on('error', endThread)
  return started
}

function endThread(): void {
  void thread?.terminate()
  thread = undefined
}
