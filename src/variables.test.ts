import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readSettings } from './settings.ts'
import { settingsOfProcess, variablesOfProcess } from './variables.ts'

const folder = mkdtempSync(join(tmpdir(), 'partner-commerce-variables-'))
after(() => rmSync(folder, { recursive: true }))
let files = 0

function file(text: string): string {
  const path = join(folder, `file-${files++}`)
  writeFileSync(path, text)
  return path
}

function sentence(variables: Record<string, string>): string {
  try {
    settingsOfProcess(variables)
  } catch (error) {
    assert.equal((error as Error).name, 'SettingRefused')
    return (error as Error).message
  }
  return assert.fail(`accepted: ${JSON.stringify(variables)}`)
}

const none = '/dev/null'

test('settings come from the file, and from real variables where these are there, even empty', () => {
  const ENV_FILE = file('# ours\nPORT=1234\n\nexport ROLE="api" # answers\nLOG_LEVEL=debug\n')
  const { ports, role, logLevel } = settingsOfProcess({ ENV_FILE, ROLE: 'worker', LOG_LEVEL: '' })
  assert.deepEqual([ports.api, role, logLevel], [1234, 'worker', 'info'])
})

test('without the file only the real variables count, and a file that was named must be there', () => {
  const before = process.cwd()
  process.chdir(folder)
  try {
    assert.deepEqual(settingsOfProcess({ PORT: '1' }), readSettings({ PORT: '1' }))
    writeFileSync('.env', 'PORT=2\n')
    assert.equal(settingsOfProcess({}).ports.api, 2)
    assert.equal(settingsOfProcess({ ENV_FILE: none }).ports.api, 8080)
  } finally {
    process.chdir(before)
  }
  assert.equal(sentence({ ENV_FILE: '/nowhere' }), 'ENV_FILE /nowhere cannot be read: ENOENT.')
  assert.equal(sentence({ ENV_FILE: folder }), `ENV_FILE ${folder} cannot be read: EISDIR.`)
})

test('a line that is no setting is refused by its number, and a name that is none by its name', () => {
  for (const line of [
    'hidden',
    'SECRET KEY=hidden',
    '=hidden',
    'SECRET_KEY="hidden',
    "SMTP_URL='hidden",
    'SMTP_URL=`hidden',
    'A="x" y',
  ]) {
    const ENV_FILE = file(`PORT=1\n${line}\n`)
    assert.equal(sentence({ ENV_FILE }), `${ENV_FILE} must have NAME=value in each line; line 2 has not.`)
  }
  for (const name of ['PROT', 'NODE_OPTIONS', 'ENV_FILE', 'PORT_FILE', 'SECRET_FILE']) {
    const ENV_FILE = file(`${name}=hidden\n`)
    assert.equal(sentence({ ENV_FILE }), `${ENV_FILE} sets ${name}, which is no setting.`)
  }
})

test('a secret may come from a file of its own, without the line break at its end', () => {
  const key = 'ab'.repeat(32)
  const { secretKeys, redisUrl, easyPost } = settingsOfProcess({
    ENV_FILE: file(`REDIS_URL_FILE=${file('redis://app:hidden@127.0.0.1\r\n')}\n`),
    SECRET_KEY_FILE: file(`${key}\n`),
    EASYPOST_API_KEY_FILE: file('EZAK-hidden'),
  })
  assert.equal(secretKeys?.[0].toString('hex'), key)
  assert.equal(redisUrl, 'redis://app:hidden@127.0.0.1')
  assert.equal(easyPost?.keys.PRODUCTION, 'EZAK-hidden')
  assert.equal(variablesOfProcess({ ENV_FILE: none, DATABASE_URL_FILE: file('one\n') }).DATABASE_URL, 'one')
  assert.deepEqual(settingsOfProcess({ ENV_FILE: none, SECRET_KEY_FILE: '' }), readSettings({}))
})

test('a secret that is given twice, or whose file cannot be read or is empty, is refused without repeating it', () => {
  const given = file('hidden\n')
  const empty = file('\n')
  const wrong: [variables: Record<string, string>, sentence: string][] = [
    [{ SECRET_KEY: 'hidden', SECRET_KEY_FILE: given }, 'SECRET_KEY and SECRET_KEY_FILE must not both be set.'],
    [{ SMTP_URL_FILE: '/nowhere' }, 'SMTP_URL_FILE /nowhere cannot be read: ENOENT.'],
    [{ REDIS_URL_FILE: folder }, `REDIS_URL_FILE ${folder} must be a file.`],
    [{ REDIS_URL_FILE: '/dev/zero' }, 'REDIS_URL_FILE /dev/zero must be a file.'],
    [{ SECRET_KEY_FILE: empty }, `SECRET_KEY_FILE ${empty} is empty.`],
    [{ SECRET_KEY_FILE: given }, 'SECRET_KEY must be 64 hexadecimal digits (32 bytes).'],
  ]
  for (const [variables, said] of wrong) assert.equal(sentence({ ENV_FILE: none, ...variables }), said)
})

test('.env.example, copied as it is, sets what would be without it, and all that it names are settings', () => {
  const text = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')
  assert.deepEqual(settingsOfProcess({ ENV_FILE: file(text) }), readSettings({}))
  const names = text.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm).map(([, name]) => `${name}=\n`)
  settingsOfProcess({ ENV_FILE: file([...names].join('')), DATA_DIR: folder })
})
