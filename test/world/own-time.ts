/**
 * A clock for tests with a time limit. A busy machine may keep a process from running for seconds, and that time does
 * not count. All the CPU time of this process counts.
 */
const everyMilliseconds = 20

let lookedAt = performance.now()
let spent = process.cpuUsage()
let heldUpMilliseconds = 0

/** If the event loop is later than this process's CPU time explains, the process had to wait for a CPU. */
function look(): void {
  const at = performance.now()
  const { user, system } = process.cpuUsage(spent)
  heldUpMilliseconds += Math.max(0, at - lookedAt - everyMilliseconds - (user + system) / 1_000)
  lookedAt = at
  spent = process.cpuUsage()
}

setInterval(look, everyMilliseconds).unref()

/** Milliseconds on a clock that stops while this process waits for a CPU. */
export function ownTime(): number {
  look()
  return lookedAt - heldUpMilliseconds
}

/** The CPU time that the work takes, in milliseconds. */
export function processorTime(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
