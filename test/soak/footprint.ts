import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { residentMegabytes, statOf } from '../../bench/process.ts'

/** What a service holds at one moment. */
export type Footprint = {
  /** of the process itself */
  residentMegabytes: number
  /** open descriptors of the process: sockets, pipes, files and the rest */
  descriptors: number
  /** its child processes, PostgreSQL's aside */
  children: number
  /** connections of PostgreSQL's clients */
  connections: number
}

/** @param postmaster the main process of PostgreSQL, whose children are counted as connections with that many of its own */
export function footprintOf(pid: number, postmaster: number): Footprint {
  const processes = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
    return stat ? [{ pid: Number(name), parent: stat.parent }] : []
  })
  return {
    residentMegabytes: residentMegabytes(pid)!,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    children: processes.filter((each) => each.parent === pid && each.pid !== postmaster).length,
    connections: processes.filter((each) => each.parent === postmaster && isBackend(each.pid)).length,
  }
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
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    let to = 'gone'
    try {
      to = readlinkSync(`/proc/${pid}/fd/${name}`).replace(/:\[\d+\]$/, '')
    } catch {
      // It was closed meanwhile.
    }
    kinds[to] = (kinds[to] ?? 0) + 1
  }
  return kinds
}
