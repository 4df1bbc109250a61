import { run } from 'node:test'

/** What the tests of some files told: those that failed, with what was wrong, and every diagnostic. */
export type Tested = { failed: string[]; skipped: number; told: string[] }

/** Runs test files one after the other, each in a process of its own, with this process's environment. */
export async function runTests(files: readonly string[]): Promise<Tested> {
  const tested: Tested = { failed: [], skipped: 0, told: [] }
  const events = run({ files: [...files], concurrency: 1 })
  for await (const { type, data } of events) {
    if (type === 'test:diagnostic') tested.told.push(data.message)
    if (type === 'test:stderr') process.stderr.write(data.message)
    if (type === 'test:pass' && data.skip !== undefined && data.skip !== false) tested.skipped++
    if (type === 'test:pass') process.stdout.write(`passed: ${data.name}\n`)
    if (type === 'test:fail') {
      tested.failed.push(
        `${data.name}: ${data.details.error.cause instanceof Error ? data.details.error.cause.message : data.details.error.message}`,
      )
      process.stdout.write(`FAILED: ${tested.failed.at(-1)}\n`)
    }
  }
  return tested
}

/** The numbers of a sentence, from each of the lines that have it. */
export function numbersIn(told: readonly string[], sentence: RegExp): number[][] {
  return told.flatMap((line) => {
    const found = sentence.exec(line)
    return found ? [found.slice(1).map(Number)] : []
  })
}

export function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
