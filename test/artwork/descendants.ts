import { readFileSync } from 'node:fs'

/** The processes that this one, or another, has started and that they have started, on Linux. */
export function descendants(of = process.pid): number[] {
  try {
    const ids = readFileSync(`/proc/${of}/task/${of}/children`, 'latin1').trim()
    return (ids === '' ? [] : ids.split(' ').map(Number)).flatMap((id) => [id, ...descendants(id)])
  } catch {
    return []
  }
}
