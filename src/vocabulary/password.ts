import { randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { isCommonPassword } from './common-passwords.ts'

/**
 * Passwords of people: which are allowed, and how they are stored (argon2id, RFC 9106). The parameters are stored with
 * the hash, so that they can be raised later.
 */

const lengthMin = 12
const lengthMax = 200
const parameters = { memory: 7_168, passes: 5, parallelism: 1, tagLength: 32 }
const hashForm = /^argon2id\$m=(\d+),t=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/

/** The rule for passwords, in words for the person who chooses one. */
export const passwordRule = `At least ${lengthMin} characters; not your username, and not a password that many people use, with or without digits around it, repeated, or a run such as abcdef.`

/** The same, for programs. */
export const passwordForm = `A password has ${lengthMin} to ${lengthMax} characters, is not the username, and is not a common password, with or without digits and signs around it, repeated, or a run such as abcdef.`

/** Whether a person may choose this password, by `passwordRule`. */
export async function isUsablePassword(password: string, username: string): Promise<boolean> {
  const length = Array.from(password).length
  if (length < lengthMin || length > lengthMax || sameWord(password, username)) return false
  return !(await isCommonPassword(password))
}

export async function hashPassword(password: string, salt: Buffer = randomBytes(16)): Promise<string> {
  const hash = await argon2id({ ...parameters, message: bytesOf(password), nonce: salt })
  const { memory, passes, parallelism } = parameters
  return `argon2id$m=${memory},t=${passes},p=${parallelism}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/**
 * Without a stored hash it does the same work and answers false, so that timing does not reveal which usernames exist.
 */
export async function passwordMatches(password: string, stored: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt, hash] = hashForm.exec(stored ?? '') ?? []
  if (stored !== undefined && hash === undefined) throw new Error('a stored password hash cannot be read')
  const expected = Buffer.from(hash ?? '', 'base64url')
  const actual = await argon2id({
    message: bytesOf(password),
    nonce: salt === undefined ? Buffer.alloc(16) : Buffer.from(salt, 'base64url'),
    memory: Number(memory ?? parameters.memory),
    passes: Number(passes ?? parameters.passes),
    parallelism: Number(parallelism ?? parameters.parallelism),
    tagLength: expected.length || parameters.tagLength,
  })
  return stored !== undefined && timingSafeEqual(actual, expected)
}

/** Longer passwords never match, so that the cost of hashing is bounded. */
function bytesOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFC').slice(0, lengthMax * 2))
}

function sameWord(one: string, other: string): boolean {
  return one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase()
}

let last: Promise<unknown> = Promise.resolve()
let thread: Worker | undefined
let rest: NodeJS.Timeout | undefined
const restMilliseconds = 10_000

/**
 * Hashes in a thread of its own, one at a time. On the shared threads each would keep the memory of its largest hash,
 * and on the main thread every request would wait. The thread ends when no one has signed in for a while.
 */
function argon2id(asked: Argon2Parameters): Promise<Buffer> {
  const hashed = last.then(async () => {
    clearTimeout(rest)
    const busy = (thread ??= startThread())
    busy.ref()
    busy.postMessage(asked)
    try {
      const [hash] = (await once(busy, 'message')) as [Uint8Array]
      return Buffer.from(hash)
    } finally {
      busy.unref()
      rest = setTimeout(endThread, restMilliseconds).unref()
    }
  })
  last = hashed.catch(() => undefined)
  return hashed
}

function startThread(): Worker {
  const started = new Worker(new URL('password-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 2 },
  })
  started.on('error', endThread)
  return started
}

function endThread(): void {
  void thread?.terminate()
  thread = undefined
}
