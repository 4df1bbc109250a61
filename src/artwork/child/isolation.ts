import { accessSync, constants, readFileSync } from 'node:fs'

/**
 * Layers around a child beyond Node's permissions, each used where the machine has it. Programs of the system put them
 * on: one starts the next, the last one starts the child.
 */
export type Isolation = {
  /** what holds the child, for people */
  says: string
  /** The command that starts this command inside. Where files can be hidden, it sees of this machine only these. */
  around: (command: readonly string[], files: readonly string[]) => string[]
}

/** Backstops for a child that nobody watches any more. The service's own limits are lower and depend on the file. */
const limits = { cpuSeconds: 600, dataKilobytes: 4 * 1_024 * 1_024, openFiles: 64, processes: 64 }

/** The ways to start a child on this machine, the strongest first. A way may turn out not to work, as in a container. */
export function isolations(): Isolation[] {
  const [bwrap, unshare, setpriv] = ['bwrap', 'unshare', 'setpriv'].map((name) => toolAt(name))
  const isRoot = process.getuid?.() === 0
  const limited: Isolation = { says: 'limits of the shell', around: (command) => withLimits(command) }
  if (!setpriv) return [limited]

  const tied = [setpriv, '--pdeathsig', 'KILL', '--no-new-privs']
  const own = userIds()
  const asOwnUser = (command: readonly string[]): string[] => {
    const id = String(own())
    const ids = ['--reuid', id, '--regid', id, '--clear-groups']
    return [...tied, ...ids, ...noCapabilities, '--', ...withLimits(command, limits.processes)]
  }
  const asThisUser = (command: readonly string[]): string[] => [
    ...tied,
    ...(isRoot ? noCapabilities : []),
    '--',
    ...withLimits(command),
  ]
  const as = isRoot ? asOwnUser : asThisUser
  const user = isRoot ? 'a user of its own, ' : ''

  const ways: Isolation[] = []
  if (bwrap) {
    ways.push({
      says: `${user}bubblewrap`,
      around: (command, files) => as([bwrap, ...bubble(files), '--', ...command]),
    })
  }
  if (unshare && isRoot) {
    const apart = [unshare, '--net', '--ipc', '--uts', '--']
    ways.push({
      says: `${user}no network`,
      around: (command) => [...apart, ...asOwnUser(command)],
    })
  }
  if (unshare && !isRoot) {
    const apart = [unshare, '--map-current-user', '--net', '--ipc', '--uts', '--pid', '--fork', '--kill-child', '--']
    ways.push({
      says: 'no network, no reach of other processes',
      around: (command) => [...tied, '--', ...apart, ...withLimits(command)],
    })
  }
  if (isRoot) ways.push({ says: 'a user of its own', around: (command) => asOwnUser(command) })
  ways.push({ says: 'no new rights', around: asThisUser }, limited)
  return ways
}

const noCapabilities = ['--inh-caps=-all', '--bounding-set=-all']

/** Sees nothing but Node, the libraries of the system and these files. */
function bubble(files: readonly string[]): string[] {
  const apart = ['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL', '--clearenv', '--chdir', '/']
  const libraries = ['/lib', '/lib64', '/usr/lib', '/usr/lib64'].flatMap((path) => ['--ro-bind-try', path, path])
  const program = [process.execPath, ...files].flatMap((path) => ['--ro-bind', path, path])
  return [...apart, ...libraries, ...program, '--proc', '/proc', '--dev', '/dev']
}

/** No dump, no file, few open files: of the limits, those that this shell and system have. */
function withLimits(command: readonly string[], processes?: number): string[] {
  const { cpuSeconds, dataKilobytes, openFiles } = limits
  const set = ['-c 0', '-f 0', `-n ${openFiles}`, `-t ${cpuSeconds}`, `-d ${dataKilobytes}`]
  // dash and busybox name it -p, bash -u. It counts all processes of the user, so it needs a user of the child's own.
  if (processes !== undefined) set.push(`-p ${processes}`, `-u ${processes}`)
  const script = ['unset PWD OLDPWD', ...set.map((limit) => `ulimit ${limit} 2>/dev/null`), 'exec "$@"'].join('; ')
  return ['/bin/sh', '-c', script, 'sh', ...command]
}

function toolAt(name: string): string | undefined {
  return ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].map((folder) => `${folder}/${name}`).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * User ids without accounts, each child another, so that no child reaches another's. Systems neither give these ids to
 * accounts nor take them for services; the embedded PostgreSQL takes the lowest of them.
 */
function userIds(): () => number {
  const [from, count] = [60_900, 284]
  const accounts = new Set(accountIds())
  let next = Math.floor(Math.random() * count)
  return () => {
    do next = (next + 1) % count
    while (accounts.has(from + next))
    return from + next
  }
}

function accountIds(): number[] {
  const files = ['/etc/passwd', '/etc/group'].map((path) => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return ''
    }
  })
  return files.flatMap((text) => text.split('\n').map((line) => Number(line.split(':')[2])))
}
