import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { PartnerEntry } from '../src/demo/cast/partners.ts'
import type { Manifest } from '../src/demo/manifest.ts'

/** A process of ours that prints one JSON line on standard output when it is ready. */
export type Running<Ready> = { ready: Ready; pid: number; stop: () => Promise<void> }

/** Settings with which every listener takes a free port. */
export const anyPorts: Readonly<Record<string, string>> = Object.fromEntries(
  ['PORT', 'MTLS_PORT', 'SANDBOX_PORT', 'DEVELOPER_PORT', 'CONSOLE_PORT', 'STORAGE_PORT', 'OPS_PORT'].map((name) => [
    name,
    '0',
  ]),
)

/** The service, started with the variables and words of `npm start`: `exec env NAME=value node …`. */
export function startService<Ready>(env: Readonly<Record<string, string>>): Promise<Running<Ready>> {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    scripts: { start: string }
  }
  const [, variables, line] = /^exec env (.*) node (.*)$/.exec(scripts.start)!
  const [first, ...rest] = line!.split(' ')
  const set = Object.fromEntries(variables!.split(' ').map((each) => each.split('=')))
  return startProcess(first!, rest, { ...set, ...env })
}

/** What a process gets of the environment here: no setting, since those may be of a service that has data, backups and receivers. */
const { PATH, HOME, TMPDIR } = process.env

/** @param first a script, or the words before it on node's command line */
export async function startProcess<Ready>(
  first: string,
  rest: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Running<Ready>> {
  const child = spawn(process.execPath, [first, ...rest], {
    env: { PATH, HOME, TMPDIR, ENV_FILE: '/dev/null', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ready = await firstJsonLine<Ready>(child)
  return {
    ready,
    pid: child.pid!,
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

function firstJsonLine<Ready>(child: ChildProcess): Promise<Ready> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the process ended with ${code} before it was ready`)))
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (line.startsWith('{')) resolve(JSON.parse(line) as Ready)
    })
  })
}

/** Resident memory of a process in megabytes; undefined without /proc. */
export function residentMegabytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}

/** `seconds`: of processor time; `waitedSeconds`: that of the children it has waited for, with theirs. */
type Stat = { parent: number; seconds: number; waitedSeconds: number }

/** Undefined without /proc, and where there is no such process. */
export function statOf(pid: number): Stat | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    const seconds = (field: number): number => Number(fields[field]) / 100
    return { parent: Number(fields[1]), seconds: seconds(11) + seconds(12), waitedSeconds: seconds(13) + seconds(14) }
  } catch {
    return undefined
  }
}

/**
 * Processor time so far of a process and all that it started, living or ended, in seconds. What ended unwaited for is lost.
 * @param apart a process whose time, with all that it started, is left out: the database server of a service
 */
export function processorSeconds(pid: number, apart?: number): number {
  for (;;) {
    const waitedBefore = statOf(pid)?.waitedSeconds
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    const stats = new Map(all.map((name) => [Number(name), statOf(Number(name))]))
    // A child that ended meanwhile would be counted as living and as waited for, or not at all.
    if (statOf(pid)?.waitedSeconds !== waitedBefore) continue
    const sumOf = (root: number): number => {
      const { seconds = 0, waitedSeconds = 0 } = stats.get(root) ?? {}
      const children = [...stats].filter(([child, stat]) => stat?.parent === root && child !== apart)
      return children.reduce((sum, [child]) => sum + sumOf(child), seconds + waitedSeconds)
    }
    return sumOf(pid)
  }
}

/** The main process of the embedded server of a data folder. */
export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0])
}

/** The URL by which the service reaches the embedded server, from the files in the data folder. */
export function databaseUrl(dataDir: string): string {
  const password = readFileSync(join(dataDir, 'postgres/password'), 'utf8').trim()
  const cluster = join(dataDir, 'postgres/cluster')
  const port = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3]!
  return `postgres://app:${password}@${encodeURIComponent(cluster)}:${port}/production`
}

/** A token with all scopes of a partner with app clients. */
export async function accessToken(baseUrl: string, { clients }: PartnerEntry): Promise<string> {
  const { clientId, clientSecret } = clients![0]!
  const granted = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
  })
  return (await answered<{ access_token: string }>(granted)).access_token
}

/** A token of the staff account of the demo data, who may do everything. */
export async function staffToken(consoleUrl: string, { staff }: Pick<Manifest, 'staff'>): Promise<string> {
  const signedIn = await fetch(`${consoleUrl}/staff/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...staff, transport: 'bearer' }),
  })
  return (await answered<{ token: string }>(signedIn)).token
}

/** @throws with what was answered instead: without a token every later call would be refused for another reason. */
async function answered<Body>(response: Response): Promise<Body> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Body
}
