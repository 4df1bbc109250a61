/**
 * Time as this process lives through it, for what must happen within a limit: a busy machine may keep a process from
 * running for seconds, and that is nobody's fault. What the process spends itself counts in full.
 */
const everyMilliseconds = 20

let lookedAt = performance.now()
let spent = process.cpuUsage()
let heldUpMilliseconds = 0

/** A turn of the event loop that comes later than this process was busy had to wait for a processor. */
function look(): void {
  const at = performance.now()
  const { user, system } = process.cpuUsage(spent)
  heldUpMilliseconds += Math.max(0, at - lookedAt - everyMilliseconds - (user + system) / 1_000)
  lookedAt = at
  spent = process.cpuUsage()
}

setInterval(look, everyMilliseconds).unref()

/** Milliseconds on a clock that stands still while this process is not given a processor. */
export function ownTime(): number {
  look()
  return lookedAt - heldUpMilliseconds
}

/** Milliseconds of a processor that the work takes. */
export function processorTime(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
