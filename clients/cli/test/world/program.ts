import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Server as HttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import type { PartnerKey } from '../../../../test/world/partner.ts'
import type { TestService } from '../../../../test/world/service.ts'

/** Runs the program as it was built, as people and scripts do. */

const program = fileURLToPath(new URL('../../partner-commerce.js', import.meta.url))
const pseudoTerminal = fileURLToPath(new URL('pseudo-terminal.py', import.meta.url))

/** A person's home on a machine: where credentials are kept, and what the environment says. */
export type Home = { folder: string; environment: Record<string, string> }

export async function newHome(environment: Record<string, string> = {}): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-home-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const { PATH = '' } = process.env
  return { folder, environment: { PATH, HOME: folder, BROWSER: 'none', TERM: 'xterm-256color', ...environment } }
}

/** The home of somebody whose environment has the credential of a partner's app client. */
export function homeOf(service: TestService, key: PartnerKey): Promise<Home> {
  const { clients, environment } = service.manifest.partners[key]!
  const { clientId, clientSecret } = clients![0]!
  return newHome({
    PARTNER_COMMERCE_URL: environment === 'SANDBOX' ? service.hosts.sandboxBaseUrl : service.hosts.baseUrl,
    PARTNER_COMMERCE_CLIENT_ID: clientId,
    PARTNER_COMMERCE_CLIENT_SECRET: clientSecret,
  })
}

export type Ended = { code: number | null; stdout: string; stderr: string }

/** Runs the program in pipes, as scripts do. */
export async function run(home: Home, words: readonly string[], input = ''): Promise<Ended> {
  const running = start(home, words)
  running.child.stdin!.end(input)
  return running.ended
}

export type Running = {
  child: ChildProcess
  /** what it has written so far, without escape sequences */
  shown: () => string
  /** resolves with the match when what it has written matches */
  shows: (wanted: RegExp) => Promise<RegExpExecArray>
  ended: Promise<Ended>
}

/** Starts the program in pipes. */
export function start(home: Home, words: readonly string[], t?: TestContext): Running {
  return watched(spawn(process.execPath, [program, ...words], { env: home.environment, cwd: home.folder }), t)
}

export type Terminal = Running & {
  /** all that went to the terminal, escape sequences included */
  raw: () => string
  type: (text: string) => void
}

/** Starts the program in a pseudo-terminal of this width. */
export function startInTerminal(t: TestContext, home: Home, words: readonly string[], columns = 100): Terminal {
  return commandInTerminal(t, home, [process.execPath, program, ...words], columns)
}

/** Starts any command in a pseudo-terminal of this width. */
export function commandInTerminal(t: TestContext, home: Home, command: readonly string[], columns: number): Terminal {
  const child = spawn('python3', [pseudoTerminal, String(columns), ...command], {
    env: home.environment,
    cwd: home.folder,
  })
  const running = watched(child, t)
  return { ...running, raw: running.raw, type: (text) => void child.stdin.write(text) }
}

function watched(child: ChildProcess, t?: TestContext): Running & { raw: () => string } {
  t?.after(() => void child.kill('SIGKILL'))
  const written = { stdout: '', stderr: '' }
  const watchers = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
      for (const watch of watchers) watch()
    })
  }
  const raw = (): string => written.stdout + written.stderr
  const shown = (): string => stripVTControlCharacters(raw()).replaceAll('\r\n', '\n')
  const ended = once(child, 'close').then(([code]): Ended => {
    for (const watch of watchers) watch()
    return { code: code as number | null, ...written }
  })
  const shows = (wanted: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const watch = (): void => {
        const match = wanted.exec(shown())
        if (match) resolve(match)
        else if (child.exitCode !== null) reject(new Error(`it ended with ${child.exitCode}: ${shown()}`))
        else return
        watchers.delete(watch)
      }
      watchers.add(watch)
      watch()
    })
  return { child, raw, shown, shows, ended }
}

/** What a program that ended well has written as JSON. */
// oxlint-disable-next-line typescript/no-explicit-any
export function json<T = any>({ code, stdout, stderr }: Ended): T {
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as T
}

/** Whether there is a Python to make pseudo-terminals with; tests that need one take it as an option. */
export function givenPseudoTerminal(): { skip: false | string } {
  const { status } = spawnSync('python3', ['-c', 'import pty, fcntl, termios'], { stdio: 'ignore' })
  if (status === 0) return { skip: false }
  const said = 'there is no python3 with pseudo-terminals'
  if (process.env.REQUIRE_SERVICES === '1') throw new Error(`${said}, and REQUIRE_SERVICES=1 asks for it`)
  process.stderr.write(`\n!!! SKIPPED: the tests that need a pseudo-terminal: ${said}.\n\n`)
  return { skip: said }
}

/** The home of somebody whose service is this server. */
export async function homeAt(t: TestContext, home: Home, server: HttpServer): Promise<Home> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const PARTNER_COMMERCE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { ...home, environment: { ...home.environment, PARTNER_COMMERCE_URL } }
}

/** An address of this machine at which nothing listens. */
export async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}
