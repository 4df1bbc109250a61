import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newHome, run } from './world/program.ts'

const home = await newHome()
const bin = join(home.folder, 'bin')
await mkdir(bin)
await symlink(fileURLToPath(new URL('../partner-commerce.js', import.meta.url)), join(bin, 'partner-commerce'))
await symlink(process.execPath, join(bin, 'node'))
await writeFile(join(home.folder, 'an-order.json'), '{}')

async function script(shell: string): Promise<string> {
  const { code, stdout } = await run(home, ['completion', shell])
  assert.equal(code, 0)
  const path = join(home.folder, `completion.${shell}`)
  await writeFile(path, stdout)
  await chmod(path, 0o644)
  return path
}

const isMissing = (shell: string): string | false =>
  spawnSync(shell, ['--version']).error ? `there is no ${shell}` : false

function inShell(shell: string, code: string, ...words: string[]): string[] {
  const { stdout, stderr, status } = spawnSync(
    shell,
    [...(shell === 'zsh' ? ['-f'] : []), '-c', code, shell, ...words],
    {
      cwd: home.folder,
      env: { ...home.environment, PATH: `${bin}:${home.environment['PATH']}` },
      encoding: 'utf8',
    },
  )
  assert.equal(status, 0, stderr)
  assert.equal(stderr, '')
  return stdout.split('\n').filter((line) => line !== '')
}

test('bash completes commands, options, their values and files', { skip: isMissing('bash') }, async () => {
  const path = await script('bash')
  const completed = (...words: string[]): string[] =>
    inShell(
      'bash',
      `source '${path}'; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _partner_commerce; printf '%s\\n' "\${COMPREPLY[@]}"`,
      'partner-commerce',
      ...words,
    ).toSorted()
  assert.deepEqual(completed('or'), ['orders'])
  assert.deepEqual(completed('orders', ''), ['get', 'list', 'submit'])
  assert.deepEqual(completed('orders', 'list', '--st'), ['--status'])
  assert.deepEqual(completed('orders', 'list', '--status', 'IN_'), ['IN_PROCESS', 'IN_PRODUCTION'])
  assert.deepEqual(completed('--json', 'orders', 'list', '--prof'), ['--profile'])
  assert.deepEqual(completed('orders', 'submit', 'an-'), ['an-order.json'])
  assert.deepEqual(completed('artwork', 'upload', '1', '2', 'an-'), ['an-order.json'])
  assert.deepEqual(completed('artwork', 'upload', ''), [])
  assert.deepEqual(completed('completion', ''), ['bash', 'fish', 'zsh'])
  assert.ok(completed('').includes('listen'))
  assert.ok(!completed('').includes('complete'), 'the hidden command stays hidden')
})

test('zsh completes commands with what they mean', { skip: isMissing('zsh') }, async () => {
  const path = await script('zsh')
  const said = inShell(
    'zsh',
    `compdef() { :; }; _describe() { print -l -- "\${(@P)2}"; }; source '${path}'; words=(partner-commerce orders ''); CURRENT=3; _partner_commerce`,
  )
  assert.deepEqual(
    said.map((line) => line.split(':')[0]),
    ['submit', 'list', 'get'],
  )
})

test('fish completes commands with what they mean', { skip: isMissing('fish') }, async () => {
  const path = await script('fish')
  const said = inShell('fish', `source '${path}'; complete -C 'partner-commerce orders '`)
  assert.deepEqual(said.map((line) => line.split('\t')[0]).toSorted(), ['get', 'list', 'submit'])
})

test('a shell that is not known is told the ones that are', async () => {
  const { code, stderr } = await run(home, ['completion', 'tcsh'])
  assert.equal(code, 2)
  assert.match(stderr, /bash, zsh, fish/)
})

test('every command has help with an example, and says what it takes', async () => {
  const below = async (...words: string[]): Promise<void> => {
    const { code, stdout } = await run(home, [...words, '--help'])
    assert.equal(code, 0)
    const commands = /\nCommands:\n([^]*?)\n(?:\n|$)/.exec(stdout)?.[1] ?? ''
    const names = [...commands.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
      .map(([, name]) => name!)
      .filter((name) => name !== 'help')
    if (names.length === 0) assert.match(stdout, /\nExamples?:\n {2}\$ partner-commerce /, words.join(' '))
    assert.doesNotMatch(
      stdout,
      /\$ partner-commerce .*partner-commerce /,
      `${words.join(' ')}: an example that cannot be run`,
    )
    assert.match(stdout, /--json/, words.join(' '))
    for (const name of names) await below(...words, name)
  }
  await below()
})

test('what the program exits with is documented', async () => {
  for (const words of [
    ['--help', 'exit-codes'],
    ['help', 'exit-codes'],
  ]) {
    const { code, stdout } = await run(home, words)
    assert.equal(code, 0)
    assert.deepEqual(
      [...stdout.matchAll(/^ +(\d+) /gm)].map(([, each]) => Number(each)),
      [0, 1, 2, 3, 4, 5, 130],
    )
  }
})
