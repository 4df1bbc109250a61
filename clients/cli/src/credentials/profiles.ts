import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Failure, usage } from '../failure.ts'

/**
 * The file that keeps credentials, a profile per environment or per name that you choose. Only its owner may read it
 * (0600, in a folder of 0700). It is replaced as a whole, under a lock, so that commands at the same time do not lose
 * what the other wrote.
 */

export type Credential =
  /** from a sign-in; every token that it is renewed with is new and works once */
  | { kind: 'person'; accessToken: string; expiresOn: string; refreshToken: string | null }
  | { kind: 'client'; clientId: string; clientSecret: string }
  /** paths of PEM files, which stay where they are */
  | { kind: 'certificate'; certificateFile: string; keyFile: string; caFile: string | null }

export type Profile = {
  url: string
  environment: 'PRODUCTION' | 'SANDBOX'
  partnerName: string
  credential: Credential
}

export type Profiles = {
  /** the one that commands use where none is named: the last login */
  current: string | null
  profiles: Record<string, Profile>
}

const nameForm = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

export function checkProfileName(name: string): string {
  if (nameForm.test(name)) return name
  throw usage(
    `A profile cannot be named "${name}".`,
    'A name has up to 64 letters, digits, hyphens and underscores, and begins with a letter or digit.',
  )
}

/** Where the file is: XDG_CONFIG_HOME, or what is usual on the machine. */
export function profilesFile(environment: NodeJS.ProcessEnv): string {
  const { XDG_CONFIG_HOME, APPDATA } = environment
  const base = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || join(homedir(), '.config')
  return join(base, 'partner-commerce', 'credentials.json')
}

export async function readProfiles(file: string): Promise<Profiles> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, profiles: {} }
    throw new Failure('credential', `The file ${file} cannot be read: ${(error as Error).message}.`)
  }
  const read = parsed(text)
  if (read) return read
  throw new Failure(
    'credential',
    `The file ${file} does not hold credentials as this program writes them.`,
    'Remove the file, and sign in again with `partner-commerce login`.',
  )
}

/** Whether others than its owner may read the file. */
export async function isOpenToOthers(file: string): Promise<boolean> {
  if (process.platform === 'win32') return false
  try {
    return ((await stat(file)).mode & 0o077) !== 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** Changes what the file holds, while no other command does. `change` may take time: others wait for it. */
export async function changeProfiles<T>(file: string, change: (profiles: Profiles) => T | Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const unlock = await lock(`${file}.lock`)
  try {
    const profiles = await readProfiles(file)
    const before = JSON.stringify(profiles)
    const answer = await change(profiles)
    if (JSON.stringify(profiles) !== before) await replace(file, `${JSON.stringify(profiles, null, 2)}\n`)
    return answer
  } finally {
    await unlock()
  }
}

async function replace(file: string, text: string): Promise<void> {
  const next = `${file}.next`
  await rm(next, { force: true })
  const handle = await open(next, 'wx', 0o600)
  try {
    // The mode of a new file passes through the umask.
    await chmod(next, 0o600)
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(next, file)
}

const lockStaleMilliseconds = 60_000

/** A lock that is older than any command holds it was left behind, and is taken over. */
async function lock(path: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      const handle = await open(path, 'wx', 0o600)
      await handle.close()
      return () => rm(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const since = await stat(path).then(
        (found) => found.mtimeMs,
        () => Date.now(),
      )
      if (Date.now() - since > lockStaleMilliseconds) await rm(path, { force: true })
      else await wait(50)
    }
  }
}

function parsed(text: string): Profiles | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(value) || !isObject(value.profiles)) return undefined
  const { current, profiles } = value
  const entries = Object.entries(profiles)
  if (!entries.every(([name, profile]) => nameForm.test(name) && isProfile(profile))) return undefined
  return {
    current: typeof current === 'string' && Object.hasOwn(profiles, current) ? current : null,
    profiles: Object.fromEntries(entries) as Record<string, Profile>,
  }
}

function isProfile(value: unknown): value is Profile {
  if (!isObject(value) || !isObject(value.credential)) return false
  const { url, environment, partnerName, credential } = value
  return (
    typeof url === 'string' &&
    URL.canParse(url) &&
    (environment === 'PRODUCTION' || environment === 'SANDBOX') &&
    typeof partnerName === 'string' &&
    isCredential(credential)
  )
}

function isCredential(credential: Record<string, unknown>): boolean {
  const hasTexts = (...keys: string[]): boolean => keys.every((key) => typeof credential[key] === 'string')
  switch (credential.kind) {
    case 'person':
      return hasTexts('accessToken', 'expiresOn') && (credential.refreshToken === null || hasTexts('refreshToken'))
    case 'client':
      return hasTexts('clientId', 'clientSecret')
    case 'certificate':
      return hasTexts('certificateFile', 'keyFile') && (credential.caFile === null || hasTexts('caFile'))
    default:
      return false
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
