import { readFileSync } from 'node:fs'

/** What a process and its descendants use. */
export type Resources = { residentBytes: number; cpuSeconds: number }

/** The clock ticks of /proc; Linux tells programs a hundredth of a second on every machine. */
const ticksPerSecond = 100

/** Undefined where there is no /proc, and for a process that is gone. */
export function resourcesOf(pid: number): Resources | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    // The name in parentheses may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    const own = {
      residentBytes: Number(kilobytes ?? 0) * 1_024,
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    }
    for (const child of childrenOf(pid)) {
      const its = resourcesOf(child)
      own.residentBytes += its?.residentBytes ?? 0
      own.cpuSeconds += its?.cpuSeconds ?? 0
    }
    return own
  } catch {
    return undefined
  }
}

function childrenOf(pid: number): number[] {
  const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim()
  return ids === '' ? [] : ids.split(' ').map(Number)
}
