import { globSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { residentMegabytes, statOf } from '../../bench/process.ts'

/** What a service holds at one moment. */
export type Footprint = {
  /** of the process itself */
  residentMegabytes: number
  /** open descriptors of the process but for its callers' connections: sockets, pipes, files and the rest */
  descriptors: number
  /** connections of its callers, who decide how many they keep open */
  callers: number
  /** its child processes, PostgreSQL's aside */
  children: number
  /** connections of PostgreSQL's clients */
  connections: number
  /** objects of JavaScript in use, with those that are not collected yet */
  heapMegabytes: number
  /** files of uploads that have not arrived, and of statements that did not fit into memory */
  temporaryFiles: number
}

/** What is looked at: the process, the main process of PostgreSQL, the listener for operators, and the data folder. */
export type Looked = { pid: number; postmaster: number; opsUrl: string; dataDir: string }

/** The children of the postmaster that serve clients are counted as connections. */
export async function footprintOf({ pid, postmaster, opsUrl, dataDir }: Looked): Promise<Footprint> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text()
  const processes = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
    return stat ? [{ pid: Number(name), parent: stat.parent }] : []
  })
  const accepted = acceptedSockets()
  const descriptors = openDescriptors(pid)
  const callers = descriptors.filter((to) => accepted.has(to)).length
  return {
    residentMegabytes: residentMegabytes(pid)!,
    descriptors: descriptors.length - callers,
    callers,
    children: processes.filter((each) => each.parent === pid && each.pid !== postmaster).length,
    connections: processes.filter((each) => each.parent === postmaster && isBackend(each.pid)).length,
    heapMegabytes: Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)![1]) / 2 ** 20,
    temporaryFiles: temporaryFilesIn(dataDir),
  }
}

function temporaryFilesIn(dataDir: string): number {
  const folders = ['objects/*/incoming/*', 'postgres/cluster/base/pgsql_tmp/*'].flatMap((pattern) =>
    globSync(pattern, { cwd: dataDir }),
  )
  return folders.length
}

/** `postgres: app production 127.0.0.1(…) idle`; its own workers have other titles. */
function isBackend(pid: number): boolean {
  try {
    return /^postgres: \S+ (production|sandbox) /.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  } catch {
    return false
  }
}

/** The descriptors by what they are, for a test that fails. */
export function descriptorsOf(pid: number): Record<string, number> {
  const kinds: Record<string, number> = {}
  for (const to of openDescriptors(pid)) {
    const kind = to.replace(/:\[\d+\]$/, '')
    kinds[kind] = (kinds[kind] ?? 0) + 1
  }
  return kinds
}

/** What each descriptor leads to, such as `socket:[4711]`. */
function openDescriptors(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`)
    } catch {
      // It was closed meanwhile.
      return []
    }
  })
}

const listening = '0A'

/** The sockets of all connections to a port on which a process listens, as a descriptor names them. */
function acceptedSockets(): Set<string> {
  const sockets = ['tcp', 'tcp6'].flatMap((protocol) =>
    readFileSync(`/proc/net/${protocol}`, 'utf8')
      .split('\n')
      .slice(1, -1)
      .map((line) => line.trim().split(/\s+/)),
  )
  const port = (socket: string[]) => socket[1]!.split(':').at(-1)!
  const ports = new Set(sockets.filter((socket) => socket[3] === listening).map(port))
  return new Set(
    sockets
      .filter((socket) => socket[3] !== listening && ports.has(port(socket)))
      .map((socket) => `socket:[${socket[9]}]`),
  )
}
