import { styleText } from 'node:util'

/**
 * Says what a start does while it does it. `work` may tell how much of it is done, from 0 to 1, and answers what came of
 * it: the result, and words for people.
 */
export type Steps = <Result>(
  what: string,
  work: (tellDone: (share: number) => void) => Promise<[result: Result, said: string]>,
) => Promise<Result>

/**
 * Tells the shares of works as the share of them all.
 * @param weights how much of it all each work is; they add up to 1
 */
export function inParts(tellDone: (share: number) => void, weights: readonly number[]): ((share: number) => void)[] {
  const done = weights.map(() => 0)
  return weights.map((weight, index) => (share) => {
    done[index] = share * weight
    tellDone(done.reduce((sum, each) => sum + each, 0))
  })
}

/** For starts that nobody watches. */
export const silentSteps: Steps = async (_what, work) => (await work(() => {}))[0]

/** The part of a terminal or file that is written to. */
type Out = { write: (text: string) => unknown; isTTY?: boolean }

export type Screen = {
  steps: Steps
  /** writes something else, such as a line of the log, without breaking into a step's line */
  apart: (write: () => void) => void
}

const barWidth = 20
const redrawMilliseconds = 100

/**
 * On a terminal each step is one line with a bar and its time so far, which ends as what came of it. Elsewhere, each step
 * is a plain line when it begins and another when it ends.
 */
export function openScreen(out: Out): Screen {
  return out.isTTY ? terminal(out) : plainLines(out)
}

function plainLines(out: Out): Screen {
  return {
    steps: async (what, work) => {
      const seconds = stopwatch()
      out.write(`${what} …\n`)
      const [result, said] = await work(() => {})
      out.write(`${what}: ${said} (${seconds()})\n`)
      return result
    },
    apart: (write) => write(),
  }
}

function terminal(out: Out): Screen {
  let line = ''
  const clear = (): unknown => out.write('\r\u001b[K')
  return {
    steps: async (what, work) => {
      const seconds = stopwatch()
      let done = 0
      const draw = (): void => {
        const full = Math.round(done * barWidth)
        line = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${what} ${seconds()}`
        out.write(`\r\u001b[K${line}`)
      }
      draw()
      const redrawing = setInterval(draw, redrawMilliseconds)
      try {
        const [result, said] = await work((share) => (done = share))
        clear()
        out.write(
          `${styleText('green', '✔', { validateStream: false })} ${what.padEnd(34)}${seconds().padStart(8)}  ${said}\n`,
        )
        return result
      } catch (error) {
        clear()
        throw error
      } finally {
        clearInterval(redrawing)
        line = ''
      }
    },
    apart: (write) => {
      if (line !== '') clear()
      write()
      if (line !== '') out.write(line)
    },
  }
}

function stopwatch(): () => string {
  const startedAt = performance.now()
  return () => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`
}
