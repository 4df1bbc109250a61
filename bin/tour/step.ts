import { styleText } from 'node:util'

/**
 * Does one step of a tour and prints it, with its duration and what it showed.
 * @param more the page or document that shows more
 */
export async function step<Result>(what: string, more: string, work: () => Promise<[Result, string]>): Promise<Result> {
  const startedAt = performance.now()
  const [result, seen] = await work()
  const milliseconds = `${(performance.now() - startedAt).toFixed(0)} ms`
  process.stdout.write(`${styleText('green', '✔')} ${what.padEnd(52)}${milliseconds.padStart(8)}  ${seen}\n`)
  process.stdout.write(styleText('dim', `  more: ${more}\n`))
  return result
}

export function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}

/** Tries until the condition holds. @throws Error with `otherwise` after half a minute */
export async function eventually(holds: () => boolean | Promise<boolean>, otherwise: () => string): Promise<void> {
  const until = Date.now() + 30_000
  while (!(await holds())) {
    if (Date.now() > until) throw new Error(otherwise())
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
