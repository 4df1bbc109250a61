import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'

/** Checks how `npm test` runs test files, on files written for this purpose. */

const program = `import { runTwice } from ${JSON.stringify(new URL('../../bin/test/run-twice.ts', import.meta.url).href)}
  process.exitCode = (await runTwice(process.argv.slice(2), new AbortController().signal)) ? 0 : 1`

const passing = `import { test } from 'node:test'
  test('holds', () => {})
  test('does not apply', { skip: true }, () => {})`
const failing = `import { test } from 'node:test'
  test('holds', () => {})
  test('never holds', () => { throw new Error('always wrong') })`
const crashing = `throw new Error('crashed while it was loaded')`
const endingEarly = `import { test } from 'node:test'
  test('ends the process', () => process.exit(0))`
const withoutTests = `export {}`
/** Writes a marker file when it fails, and passes if the marker exists. */
const flaky = `import { test } from 'node:test'
  import { existsSync, writeFileSync } from 'node:fs'
  const mark = import.meta.filename + '.mark'
  test('holds', () => {})
  test('holds now and then', () => {
    if (existsSync(mark)) return
    writeFileSync(mark, '')
    throw new Error('wrong this time')
  })`

/** Runs these files, given by name, and returns the exit code and output, with its last paragraphs. */
async function ran(t: TestContext, files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'test-runner-'))
  t.after(() => rm(folder, { recursive: true }))
  const names = Object.keys(files).map((name) => `${name}.test.mjs`)
  await writeFile(join(folder, 'program.mjs'), program)
  await Promise.all(Object.values(files).map((text, at) => writeFile(join(folder, names[at]!), text)))
  // The test runner marks its child processes as tests with this variable. This child is not a test.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, ['program.mjs', ...names], { cwd: folder, env })
  const [said, [code]] = await Promise.all([buffer(child.stdout).then(String), once(child, 'close')])
  const [closing, ...above] = said.trimEnd().split('\n\n').toReversed()
  return { code: code as number, said, closing, above }
}

const listOf = (...names: string[]) =>
  [
    '!!! passed on the second try, and has to be mended:',
    ...names.flatMap((name) => [`    ${name}.test.mjs`, '      ✖ holds now and then']),
  ].join('\n')

test('a run whose files all pass ends with its slowest files and its counts', async (t) => {
  const { code, said, closing, above } = await ran(t, { one: passing, two: passing })
  assert.deepEqual([code, closing], [0, '2 passed, 0 failed, 2 skipped'])
  assert.match(above[0]!, /^slowest files:\n +\d+\.\d s  (one|two)\.test\.mjs\n +\d+\.\d s  (one|two)\.test\.mjs$/)
  assert.doesNotMatch(said, /second try|once more/)
})

test('a file that fails and then passes counts as passed, and is listed with its first failure', async (t) => {
  const { code, said, closing, above } = await ran(t, { one: passing, flaky })
  assert.deepEqual([code, closing], [0, '3 passed, 0 failed, 1 skipped'])
  assert.equal(above[0], listOf('flaky'))
  assert.match(said, /wrong this time/)
  assert.match(said, /ℹ fail 0\n/)
})

test('a file that fails twice fails the run', async (t) => {
  const { code, said, closing } = await ran(t, { one: passing, failing })
  assert.deepEqual([code, closing], [1, '2 passed, 1 failed, 1 skipped'])
  assert.match(said, /once more, alone: failing\.test\.mjs\n/)
  assert.match(said, /always wrong/)
  assert.doesNotMatch(said, /second try/)
})

test('three files may pass on their second try; a fourth fails the run', async (t) => {
  const three = await ran(t, { a: flaky, b: flaky, c: flaky })
  assert.deepEqual(
    [three.code, three.closing, three.above[0]],
    [0, '6 passed, 0 failed, 0 skipped', listOf('a', 'b', 'c')],
  )
  const four = await ran(t, { a: flaky, b: flaky, c: flaky, d: flaky })
  assert.deepEqual([four.code, four.closing], [1, '4 passed, 4 failed, 0 skipped'])
  const sentence = '!!! More than 3 files passed on the second try only: their first tries count.'
  assert.equal(four.above[0], `${listOf('a', 'b', 'c', 'd')}\n${sentence}`)
})

test('a file that exits before its tests finish, or has no tests, fails', async (t) => {
  const { code, closing } = await ran(t, { one: passing, crashing, endingEarly, withoutTests })
  assert.deepEqual([code, closing], [1, '1 passed, 3 failed, 1 skipped'])
})
