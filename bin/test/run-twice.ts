import { resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/**
 * Runs test files as `node --test` does, and runs each failed file once more, alone. A test that fails by chance blocks
 * no one, but is named at the end until it is mended.
 */

const filesAtOnceUsually = 2
const secondTriesMax = 3
/** The limit of tests that hang. However busy the machine, no test that makes progress takes this long. */
const testMilliseconds = 300_000
/** The limit of files that hang outside their tests. */
const silenceMilliseconds = 2 * testMilliseconds

type Reporter = InstanceType<typeof spec>

type Counts = { passed: number; failed: number; cancelled: number; skipped: number; todo: number; suites: number }

/** The result of a file's run. A run that crashed has no counts. */
type FileRun = { file: string; hasEndedWell: boolean; counts?: Counts; failures: string[]; seconds: number }

/** The part of the runner's events that this program reads. */
type TestEvent = {
  type: string
  data: {
    file?: string
    name: string
    details: { passed: boolean; duration_ms: number; error: { failureType: string } }
    counts: Counts
  }
}

/** Runs the files and reports on standard output. Answers whether all passed. */
export async function runTwice(
  files: readonly string[],
  signal: AbortSignal,
  filesAtOnce = filesAtOnceUsually,
): Promise<boolean> {
  const reporter = new spec()
  reporter.pipe(process.stdout, { end: false })
  const first = await runFiles(files, reporter, signal, filesAtOnce)
  const second: FileRun[] = []
  for (const { file } of first.filter((each) => !isPassed(each))) {
    if (signal.aborted) break
    reporter.write({ type: 'test:diagnostic', data: { nesting: 0, message: `once more, alone: ${file}` } })
    second.push(...(await runFiles([file], reporter, signal, 1)))
  }
  const passedLater = second.filter(isPassed)
  const flaky = first.filter(({ file }) => passedLater.some((later) => later.file === file))
  const isTooFlaky = flaky.length > secondTriesMax
  const runs = first.map((each) => (!isTooFlaky && passedLater.find(({ file }) => file === each.file)) || each)
  const totals = sum(runs.map(countsOf))
  const allPassed = runs.every(isPassed)
  await reportTotals(reporter, totals, allPassed)

  const lines = ['', 'slowest files:']
  for (const { file, seconds } of runs.toSorted((a, b) => b.seconds - a.seconds).slice(0, 40))
    lines.push(`${seconds.toFixed(1).padStart(7)} s  ${file}`)
  if (flaky.length > 0) {
    lines.push('', '!!! passed on the second try, and has to be mended:')
    for (const { file, failures } of flaky) lines.push(`    ${file}`, ...failures.map((title) => `      ✖ ${title}`))
  }
  if (isTooFlaky)
    lines.push(`!!! More than ${secondTriesMax} files passed on the second try only: their first tries count.`)
  lines.push('', `${totals.passed} passed, ${totals.failed + totals.cancelled} failed, ${totals.skipped} skipped`, '')
  process.stdout.write(lines.join('\n'))
  return allPassed
}

async function runFiles(
  files: readonly string[],
  reporter: Reporter,
  signal: AbortSignal,
  filesAtOnce: number,
): Promise<FileRun[]> {
  const runs = new Map(
    files.map((file): [string, FileRun] => [resolve(file), { file, hasEndedWell: false, failures: [], seconds: 0 }]),
  )
  const silence = new AbortController()
  const watchdog = setTimeout(() => silence.abort(new Error('no test ended for ten minutes')), silenceMilliseconds)
  const events: AsyncIterable<TestEvent> = run({
    files: [...files],
    concurrency: filesAtOnce,
    timeout: testMilliseconds,
    signal: AbortSignal.any([signal, silence.signal]),
  })
  // The runner reports one file after the other.
  let failures: string[] = []
  for await (const event of events) {
    watchdog.refresh()
    const { type, data } = event
    // These are the totals of one try; the reporter gets those of the whole run.
    if (data.file === undefined && /^test:(plan|diagnostic|summary)$/.test(type)) continue
    reporter.write(event)
    if (type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed') failures.push(data.name)
    const own = data.file === undefined ? undefined : runs.get(resolve(data.file))
    if (own === undefined) continue
    const isOfFile = data.name === own.file
    if (type === 'test:complete' && isOfFile) {
      own.hasEndedWell = data.details.passed
      own.seconds = data.details.duration_ms / 1_000
    }
    if (type === 'test:summary') own.counts = data.counts
    if (type === 'test:summary' || (type === 'test:fail' && isOfFile)) {
      own.failures.push(...failures)
      failures = []
    }
  }
  clearTimeout(watchdog)
  return [...runs.values()]
}

function isPassed({ hasEndedWell, counts }: FileRun): boolean {
  return hasEndedWell && counts !== undefined
}

/** If a file failed although none of its tests did, the file itself counts as a failure. */
function countsOf(fileRun: FileRun): Counts {
  const none = { passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0, suites: 0 }
  const { failed, cancelled, ...others } = fileRun.counts ?? none
  return { ...others, cancelled, failed: isPassed(fileRun) || failed + cancelled > 0 ? failed : 1 }
}

function sum(all: readonly Counts[]): Counts {
  const total = (key: keyof Counts): number => all.reduce((so, counts) => so + counts[key], 0)
  return {
    passed: total('passed'),
    failed: total('failed'),
    cancelled: total('cancelled'),
    skipped: total('skipped'),
    todo: total('todo'),
    suites: total('suites'),
  }
}

/** Ends the report as `node --test` ends its own. */
async function reportTotals(reporter: Reporter, totals: Counts, success: boolean): Promise<void> {
  const { passed, failed, cancelled, skipped, todo, suites } = totals
  const tests = passed + failed + cancelled + skipped + todo
  const lines = { tests, suites, pass: passed, fail: failed, cancelled, skipped, todo }
  for (const [name, count] of Object.entries(lines))
    reporter.write({ type: 'test:diagnostic', data: { nesting: 0, message: `${name} ${count}` } })
  reporter.end({ type: 'test:summary', data: { counts: totals, success } })
  await finished(reporter)
}
