import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Machines that are network namespaces, joined by a bridge. Each has one address, and its own loopback. The bridge has
 * an address too, by which this process reaches them and they reach it. Needs root. Nothing else on this machine is
 * changed, and nothing leaves the bridge.
 */

const bridge = 'commerce'

/** The address of this process on the bridge. */
export const outsideAddress = '10.250.25.1'

export const addresses = {
  db1: '10.250.25.11',
  db2: '10.250.25.12',
  db3: '10.250.25.13',
  app1: '10.250.25.21',
  app2: '10.250.25.22',
  cache: '10.250.25.31',
} as const

export type Machine = keyof typeof addresses

export const machines = Object.keys(addresses) as Machine[]

/** Nobody has this hardware address: what is sent to it arrives nowhere, and nobody says so. */
const nowhere = '02:00:00:00:00:01'

/** The name of the machine's namespace, and of the end of its cable at the bridge. */
export function namespaceOf(machine: Machine): string {
  return `${bridge}-${machine}`
}

async function run(command: string, ...words: string[]): Promise<string> {
  return (await promisify(execFile)(command, words)).stdout
}

/** Lays the bridge and the machines. What an earlier cluster left behind must have been removed. */
export async function layNetwork(): Promise<void> {
  await run('ip', 'link', 'add', bridge, 'type', 'bridge')
  await run('ip', 'address', 'add', `${outsideAddress}/24`, 'dev', bridge)
  await run('ip', 'link', 'set', bridge, 'up')
  for (const machine of machines) {
    const name = namespaceOf(machine)
    await run('ip', 'netns', 'add', name)
    await run('ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    await run('ip', 'link', 'set', name, 'master', bridge, 'up')
    await run('ip', '-n', name, 'address', 'add', `${addresses[machine]}/24`, 'dev', 'eth0')
    await run('ip', '-n', name, 'link', 'set', 'lo', 'up')
    await run('ip', '-n', name, 'link', 'set', 'eth0', 'up')
  }
}

/** Kills what runs on the machines, and removes them and the bridge. */
export async function removeNetwork(): Promise<void> {
  const left = await run('ip', 'netns', 'list')
  for (const machine of machines) {
    if (!new RegExp(`^${namespaceOf(machine)}\\b`, 'm').test(left)) continue
    while ((await killAll(machine)) > 0);
    // The kernel takes its time to remove a namespace, and with it the cable.
    await run('ip', 'link', 'delete', namespaceOf(machine)).catch(() => undefined)
    await run('ip', 'netns', 'delete', namespaceOf(machine))
  }
  await run('ip', 'link', 'delete', bridge).catch(() => undefined)
}

/** The processes of a machine, with the words of their commands. */
export async function processesOf(machine: Machine): Promise<{ pid: number; command: string }[]> {
  const pids = (await run('ip', 'netns', 'pids', namespaceOf(machine))).split('\n').filter(Boolean)
  if (pids.length === 0) return []
  // ps fails when none of them runs any more.
  const listed = await run('ps', '-o', 'pid=,args=', '-p', pids.join()).catch(() => '')
  return [...listed.matchAll(/^ *(\d+) (.*)$/gm)].map(([, pid, command]) => ({ pid: Number(pid), command: command! }))
}

/** Ends all processes of a machine at once, as a power cut does. Answers how many there were. */
export async function killAll(machine: Machine): Promise<number> {
  const found = (await processesOf(machine)).filter(({ command }) => !command.endsWith('<defunct>'))
  for (const { pid } of found) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  return found.length
}

/** Pulls the machine's cable at the switch: nothing gets in or out, and no connection is told. */
export async function pullCable(machine: Machine): Promise<void> {
  await run('ip', 'link', 'set', namespaceOf(machine), 'nomaster')
}

export async function plugCable(machine: Machine): Promise<void> {
  await run('ip', 'link', 'set', namespaceOf(machine), 'master', bridge)
}

/** Loses all that the machine sends to the others, so that no connection to them or from them works. */
export async function loseWay(machine: Machine, others: readonly Machine[]): Promise<void> {
  for (const other of others)
    // prettier-ignore
    await run('ip', '-n', namespaceOf(machine), 'neighbour', 'replace', addresses[other], 'lladdr', nowhere, 'dev', 'eth0', 'nud', 'permanent')
}

export async function findWay(machine: Machine, others: readonly Machine[]): Promise<void> {
  for (const other of others)
    await run('ip', '-n', namespaceOf(machine), 'neighbour', 'delete', addresses[other], 'dev', 'eth0')
}
