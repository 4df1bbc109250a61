import { readFileSync } from 'node:fs'
import { PartnerCommerce, type ClientOptions } from '@partner-commerce/client'
import { clientCertificate } from '@partner-commerce/client/mutual-tls'
import { readAddress } from './credentials/address.ts'
import {
  changeProfiles,
  isOpenToOthers,
  readProfiles,
  type Credential,
  type Profile,
  type Profiles,
} from './credentials/profiles.ts'
import { renewed, type PersonCredential } from './credentials/sign-in.ts'
import { Failure, usage } from './failure.ts'
import { yellow } from './terminal/pieces.ts'
import { version } from './version.ts'
import type { Flags, World } from './world.ts'

/** A client of the API with the credential that the command line, the environment or the kept profiles give. */
export type Session = {
  /** the profile; undefined = the credential comes from the environment */
  name: string | undefined
  baseUrl: string
  /** undefined = not known before asking */
  environment: Profile['environment'] | undefined
  credential: Credential
  client: PartnerCommerce
}

/** What a command needs of the profile. */
export type Needs = { sandbox?: true }

export async function openSession(world: World, flags: Flags, needs: Needs = {}): Promise<Session> {
  const { terminal, credentialsFile } = world
  const chosen = await chooseCredential(world, flags, needs)
  if (await isOpenToOthers(credentialsFile)) {
    terminal.say(yellow('! '), `Others on this machine can read ${credentialsFile}: chmod 600 it, and sign in anew.`)
  }
  const session = { ...chosen, client: clientOf(world, chosen) }
  const wanted = wantedEnvironment(flags, needs)
  if (wanted !== undefined) await refuseOther(session, wanted, needs, world.stop)
  return session
}

function wantedEnvironment(flags: Flags, needs: Needs): Profile['environment'] | undefined {
  if (flags.sandbox || needs.sandbox) return 'SANDBOX'
  return flags.production ? 'PRODUCTION' : undefined
}

/**
 * A credential of the environment doesn't say where it is good, so the host is asked before it is asked for anything else:
 * what is meant for the sandbox must not reach production.
 */
async function refuseOther(
  { name, baseUrl, client, ...session }: Session,
  wanted: Profile['environment'],
  needs: Needs,
  signal: AbortSignal,
): Promise<void> {
  const environment = session.environment ?? (await client.getMe({}, { signal })).environment
  if (environment === wanted) return
  const [there, here] = wanted === 'SANDBOX' ? ['production', 'the sandbox'] : ['the sandbox', 'production']
  const meant = needs.sandbox ? 'This works in the sandbox only' : `--${wanted.toLowerCase()} is given`
  throw usage(
    name === undefined
      ? `${meant}, and the credential in PARTNER_COMMERCE_CLIENT_ID is ${there}'s, at ${baseUrl}.`
      : `${meant}, and the profile ${name} is ${there}'s.`,
    name === undefined
      ? `Set PARTNER_COMMERCE_URL and the credential of ${here}.`
      : `Sign in with \`partner-commerce login --url ADDRESS\`, the address of ${here}, or name its profile with --profile.`,
  )
}

export type Chosen = Omit<Session, 'client'>

/** Which profile, or which credential of the environment, the command uses. @throws Failure where there is none */
export async function chooseCredential(world: World, flags: Flags, needs: Needs): Promise<Chosen> {
  if (flags.production && needs.sandbox) {
    throw usage('This works in the sandbox only.', 'Leave --production out.')
  }
  const given = flags.profile === undefined ? fromEnvironment(world.environment, flags) : undefined
  if (given) return given
  const kept = await readProfiles(world.credentialsFile)
  const name = profileName(kept, flags, needs, world.environment)
  const { url: baseUrl, environment, credential } = kept.profiles[name]!
  return { name, baseUrl, environment, credential }
}

/** For machines that keep nothing: all three variables, or two and --url. */
function fromEnvironment(environment: NodeJS.ProcessEnv, flags: Flags): Chosen | undefined {
  const { PARTNER_COMMERCE_URL, PARTNER_COMMERCE_CLIENT_ID, PARTNER_COMMERCE_CLIENT_SECRET } = environment
  if (!PARTNER_COMMERCE_CLIENT_ID || !PARTNER_COMMERCE_CLIENT_SECRET) return undefined
  const url = flags.url ?? PARTNER_COMMERCE_URL
  if (url === undefined) {
    throw usage(
      'PARTNER_COMMERCE_CLIENT_ID is set, but not the address that it is for.',
      'Set PARTNER_COMMERCE_URL too, or name the address with --url.',
    )
  }
  const credential = {
    kind: 'client',
    clientId: PARTNER_COMMERCE_CLIENT_ID,
    clientSecret: PARTNER_COMMERCE_CLIENT_SECRET,
  } as const
  return { name: undefined, baseUrl: readAddress(url), environment: undefined, credential }
}

/** The kept profile that the command line, the environment or the last login names. @throws Failure where there is none */
export function profileName(
  { current, profiles }: Profiles,
  flags: Flags,
  needs: Needs,
  environment: NodeJS.ProcessEnv,
): string {
  const names = Object.keys(profiles)
  const named = flags.profile ?? (environment.PARTNER_COMMERCE_PROFILE || undefined)
  if (named !== undefined) {
    if (Object.hasOwn(profiles, named)) return named
    throw new Failure(
      'credential',
      `There is no profile "${named}".`,
      names.length > 0
        ? `You have ${names.join(', ')}; \`partner-commerce login --profile ${named}\` makes another.`
        : `Sign in with \`partner-commerce login --profile ${named}\`.`,
    )
  }
  if (flags.url !== undefined) {
    // A credential goes nowhere but to the host that it was kept for.
    const address = readAddress(flags.url)
    const found = best(current, names, (name) => profiles[name]!.url === address)
    if (found !== undefined) return found
    throw new Failure(
      'credential',
      `You are not signed in at ${address}.`,
      `Sign in with \`partner-commerce login --url ${address}\`.`,
    )
  }
  const wanted = wantedEnvironment(flags, needs)
  const found = best(current, names, (name) => wanted === undefined || profiles[name]!.environment === wanted)
  if (found !== undefined && (wanted !== undefined || current !== null)) return found
  const where = wanted === 'SANDBOX' ? ' to the sandbox' : wanted === 'PRODUCTION' ? ' to production' : ''
  throw new Failure(
    'credential',
    `You are not signed in${where}.`,
    `Sign in with \`partner-commerce login --url ADDRESS\`${where && `, the address of ${where.slice(4)}`}.`,
  )
}

/** The current profile if it fits, otherwise the first that does. */
function best(current: string | null, names: readonly string[], fits: (name: string) => boolean): string | undefined {
  return current !== null && fits(current) ? current : names.find(fits)
}

export function clientOf(world: World, chosen: Chosen): PartnerCommerce {
  return new PartnerCommerce({
    ...credentialFor(world, chosen),
    baseUrl: chosen.baseUrl,
    userAgent: `partner-commerce-cli/${version}`,
    retry: { attempts: 3, total: 20_000 },
  } as ClientOptions)
}

function credentialFor(world: World, { name, baseUrl, credential }: Chosen) {
  switch (credential.kind) {
    case 'client':
      return { clientId: credential.clientId, clientSecret: credential.clientSecret }
    case 'certificate':
      return {
        certificate: clientCertificate({
          cert: readPem(credential.certificateFile),
          key: readPem(credential.keyFile),
          ...(credential.caFile !== null && { ca: readPem(credential.caFile) }),
        }),
      }
    case 'person':
      return {
        accessToken: async (refused: string | undefined) =>
          (await freshCredential(world, name, baseUrl, credential, refused)).accessToken,
      }
  }
}

export function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(
      'credential',
      `The file ${file} cannot be read: ${(error as Error).message}.`,
      'Sign in again with `partner-commerce login --certificate FILE --key FILE`.',
    )
  }
}

const earlyMilliseconds = 60_000

/**
 * The credential of a sign-in with a token that is good for a while. It is renewed under the lock of the file: a token
 * that renews works once, and two commands at a time must not both use it.
 */
async function freshCredential(
  { credentialsFile, now, stop }: World,
  name: string | undefined,
  baseUrl: string,
  known: PersonCredential,
  refused: string | undefined,
): Promise<PersonCredential> {
  const isGood = ({ accessToken, expiresOn }: PersonCredential): boolean =>
    accessToken !== refused && Date.parse(expiresOn) - now().getTime() > earlyMilliseconds
  const kept = await readProfiles(credentialsFile)
  const latest = personAt(kept, name, baseUrl) ?? known
  if (isGood(latest)) return latest
  return changeProfiles(credentialsFile, async (profiles) => {
    const current = personAt(profiles, name, baseUrl) ?? known
    if (isGood(current)) return current
    const next = await renewed(baseUrl, current, stop)
    if (name !== undefined && profiles.profiles[name]?.url === baseUrl) profiles.profiles[name].credential = next
    return next
  })
}

function personAt({ profiles }: Profiles, name: string | undefined, baseUrl: string): PersonCredential | undefined {
  const profile = name !== undefined && Object.hasOwn(profiles, name) ? profiles[name] : undefined
  return profile?.url === baseUrl && profile.credential.kind === 'person' ? profile.credential : undefined
}
