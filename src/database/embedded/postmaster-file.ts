import { readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './command.ts'

/**
 * The content of `postmaster.pid`, which PostgreSQL writes while it runs on a cluster. `port` is there from the start;
 * `status` is 'starting', 'stopping' or 'ready', and empty before that.
 */
export type PostmasterFile = { pid: number; port: number; status: string }

/** Reads the file of a cluster: undefined when there is none, 'unreadable' when it is empty or cut off. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | 'unreadable' | undefined> {
  const text = await readFile(pathOf(cluster), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const lines = text.split('\n')
  const pid = Number(lines[0])
  const port = Number(lines[3])
  if (!Number.isSafeInteger(pid) || pid < 1 || !Number.isSafeInteger(port) || port < 1) return 'unreadable'
  return { pid, port, status: lines[7]?.trim() ?? '' }
}

/** Removes the file. PostgreSQL's lock on its shared memory still prevents two servers on one cluster. */
export async function removePostmasterFile(cluster: string): Promise<void> {
  await unlink(pathOf(cluster)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}

/** A setting that PostgreSQL ignores: it puts the cluster's name on the server's command line. */
export function clusterMark(cluster: string): string {
  return `partner_commerce.cluster=${cluster}`
}

/**
 * What runs under a process id: 'nobody'; a 'zombie', dead but not collected by its parent; the 'postmaster' of this
 * cluster; another 'postgres', which may be this cluster's if the cluster was moved; or a 'stranger'.
 */
export async function holderOf(
  pid: number,
  cluster: string,
): Promise<'nobody' | 'zombie' | 'postmaster' | 'postgres' | 'stranger'> {
  if (!exists(pid)) return 'nobody'
  const seen = process.platform === 'linux' ? await lookInProc(pid) : await lookWithPs(pid)
  if (seen === undefined) return 'nobody'
  if (seen.state === 'Z' || seen.state === 'X') return 'zombie'
  if (seen.name !== 'postgres') return 'stranger'
  return seen.commandLine.includes(clusterMark(cluster)) ? 'postmaster' : 'postgres'
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

type Seen = { state: string; name: string; commandLine: string }

/** Everyone may read `stat` and `cmdline`. `cwd` and `exe` are closed, even to root in a container. */
async function lookInProc(pid: number): Promise<Seen | undefined> {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8')
    const end = line.lastIndexOf(')')
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    return { state: line.slice(end + 2, end + 3), name: line.slice(line.indexOf('(') + 1, end), commandLine }
  } catch {
    return undefined
  }
}

async function lookWithPs(pid: number): Promise<Seen | undefined> {
  const { code, output } = await runCommand('/bin/ps', ['-o', 'state=', '-o', 'command=', '-p', String(pid)], {
    folder: '/',
    runAs: undefined,
  })
  if (code !== 0) return undefined
  const [, state = '', commandLine = ''] = /^(\S)\S*\s+(.*)/s.exec(output.trim()) ?? []
  return { state, name: /(^|\/)postgres(\s|$)/.test(commandLine) ? 'postgres' : '', commandLine }
}

function pathOf(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}
