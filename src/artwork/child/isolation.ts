import { accessSync, constants, readFileSync } from 'node:fs'

/**
 * Layers around a child beyond Node's permissions, each used where the machine has it. Programs of the system put them
 * on: one starts the next, the last one starts the child.
 */
export type Isolation = {
  layers: readonly Layer[]
  /** The command that starts this command inside. Where files are hidden, it sees of this machine only these. */
  around: (command: readonly string[], files: readonly string[]) => string[]
}

/**
 * What holds a child. `dies with the service` even while it computes; without it, it ends when it next reads its input
 * or has used up its CPU time.
 */
export type Layer =
  | 'limits'
  | 'dies with the service'
  | 'no new rights'
  | 'own user'
  | 'no network'
  | 'own processes only'
  | 'own files only'

/** Backstops for a child that nobody watches any more. The service's own limits are lower and depend on the file. */
const limits = { cpuSeconds: 600, dataKilobytes: 4 * 1_024 * 1_024, openFiles: 64, processes: 64 }

const usualFolders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin']

/**
 * The ways to start a child on this machine, the strongest first. A way may turn out not to work, as in a container.
 * @param folders where the programs of the system are
 */
export function isolations(folders: readonly string[] = usualFolders): Isolation[] {
  const isRoot = process.getuid?.() === 0
  const limited: Isolation = { layers: ['limits'], around: (command) => withLimits(command) }
  const [bwrap, unshare, setpriv] = ['bwrap', 'unshare', 'setpriv'].map((name) => toolIn(folders, name))
  if (!setpriv) return [limited]

  const tied = [setpriv, '--pdeathsig', 'KILL', '--no-new-privs']
  const own = userIds()
  const asThisUser: Isolation = {
    layers: ['limits', 'dies with the service', 'no new rights'],
    around: (command) => [...tied, ...(isRoot ? noCapabilities : []), '--', ...withLimits(command)],
  }
  const asOwnUser: Isolation = {
    layers: [...asThisUser.layers, 'own user'],
    around: (command) => {
      const id = String(own())
      const ids = ['--reuid', id, '--regid', id, '--clear-groups']
      return [...tied, ...ids, ...noCapabilities, '--', ...withLimits(command, limits.processes)]
    },
  }
  const asUser = isRoot ? asOwnUser : asThisUser

  const ways: Isolation[] = []
  if (bwrap) {
    ways.push({
      layers: [...asUser.layers, 'no network', 'own processes only', 'own files only'],
      around: (command, files) => asUser.around([bwrap, ...bubble(files), '--', ...command], files),
    })
  }
  if (unshare && isRoot) {
    ways.push({
      layers: [...asOwnUser.layers, 'no network'],
      around: (command, files) => [unshare, '--net', '--ipc', '--uts', '--', ...asOwnUser.around(command, files)],
    })
  }
  if (unshare && !isRoot) {
    const apart = [unshare, '--map-current-user', '--net', '--ipc', '--uts', '--pid', '--fork', '--kill-child', '--']
    ways.push({
      layers: [...asThisUser.layers, 'no network', 'own processes only'],
      around: (command) => [...tied, '--', ...apart, ...withLimits(command)],
    })
  }
  if (isRoot) ways.push(asOwnUser)
  return [...ways, asThisUser, limited]
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
  // The allocator keeps freed memory for each thread: pictures of a page come from several, and would add up.
  const variables = ['unset PWD OLDPWD', 'export MALLOC_ARENA_MAX=1']
  const script = [...variables, ...set.map((limit) => `ulimit ${limit} 2>/dev/null`), 'exec "$@"'].join('; ')
  return ['/bin/sh', '-c', script, 'sh', ...command]
}

function toolIn(folders: readonly string[], name: string): string | undefined {
  return folders.map((folder) => `${folder}/${name}`).find(isExecutable)
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
