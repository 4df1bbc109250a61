import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Identity } from '@partner-commerce/client'
import type { Command } from 'commander'
import { command, runs } from '../command.ts'
import { readAddress } from '../credentials/address.ts'
import { openBrowser } from '../credentials/open-browser.ts'
import { changeProfiles, checkProfileName, readProfiles, type Credential } from '../credentials/profiles.ts'
import { revoked, withSignIn } from '../credentials/sign-in.ts'
import { usage } from '../failure.ts'
import { clientOf, profileName } from '../session.ts'
import { readAll } from '../stdin.ts'
import { bold, cyan, dim, green, yellow } from '../terminal/pieces.ts'
import type { Flags, World } from '../world.ts'

type LoginOptions = {
  clientId?: string
  clientSecretStdin?: true
  certificate?: string
  key?: string
  ca?: string
  browser: boolean
}

/** What a service is called that nobody named: the addresses of the published one. */
const usualAddresses = {
  production: 'https://api.partner-commerce.example',
  sandbox: 'https://sandbox.partner-commerce.example',
} as const

export function loginCommand(world: World): Command {
  const made = command('login', 'Sign in, and keep the credential in a profile', [
    'login --url https://sandbox.example.com',
    'login --url https://sandbox.example.com --client-id CLIENT_ID',
    '$ echo "$SECRET" | partner-commerce login --client-id CLIENT_ID --client-secret-stdin',
    'login --url https://mtls.example.com --certificate client.pem --key client.key',
  ])
    .option('--client-id <ID>', 'use an app client; its secret is asked for, or PARTNER_COMMERCE_CLIENT_SECRET')
    .option('--client-secret-stdin', 'read the secret of the app client from stdin')
    .option('--certificate <FILE>', 'use a client certificate (PEM), for the mutual-TLS host')
    .option('--key <FILE>', 'the private key of the certificate (PEM, without a passphrase)')
    .option('--ca <FILE>', 'who vouches for the mutual-TLS host (PEM), if this machine does not know')
    .option('--no-browser', 'only print the address of the sign-in page')
    .addHelpText(
      'after',
      `
Without --client-id or --certificate your browser opens a sign-in page. The credential is kept in
${world.credentialsFile},
which only you can read. Its profile is named production or sandbox, unless --profile names it.`,
    )
  return runs<LoginOptions>(made, world, async ({ flags, options }) => {
    const { terminal } = world
    if (flags.profile !== undefined) checkProfileName(flags.profile)
    const baseUrl = await addressFor(world, flags)
    const credential = await obtained(world, baseUrl, options)
    const me = await clientOf(world, { name: undefined, baseUrl, environment: undefined, credential }).getMe(
      {},
      { signal: world.stop },
    )
    const environment = me.environment === 'SANDBOX' ? 'SANDBOX' : 'PRODUCTION'
    const name = flags.profile ?? environment.toLowerCase()
    await changeProfiles(world.credentialsFile, (kept) => {
      kept.profiles[name] = { url: baseUrl, environment, partnerName: me.partnerName, credential }
      kept.current = name
    })
    if (flags.json) return terminal.json({ profile: name, url: baseUrl, identity: me })
    terminal.print(green('✓ '), 'Signed in to ', bold(me.environment), ' as ', bold(whoOf(me)), '.')
    terminal.say(dim(`The profile ${name} keeps it in ${world.credentialsFile}.`))
    terminal.say('Next: ', cyan('partner-commerce doctor'))
  })
}

export function whoOf(me: Identity): string {
  return me.user ? `${me.user.userName} of ${me.partnerName}` : me.partnerName
}

async function addressFor(world: World, flags: Flags): Promise<string> {
  if (flags.url !== undefined) return readAddress(flags.url)
  const { PARTNER_COMMERCE_URL } = world.environment
  if (PARTNER_COMMERCE_URL) return readAddress(PARTNER_COMMERCE_URL)
  const { current, profiles } = await readProfiles(world.credentialsFile)
  const wanted = flags.sandbox ? 'SANDBOX' : flags.production ? 'PRODUCTION' : undefined
  const known = [flags.profile, wanted?.toLowerCase(), wanted === undefined ? current : undefined]
    .filter((name) => typeof name === 'string')
    .filter((name) => Object.hasOwn(profiles, name))
    .map((name) => profiles[name]!)
    .find(({ environment }) => wanted === undefined || environment === wanted)
  return known?.url ?? usualAddresses[flags.sandbox ? 'sandbox' : 'production']
}

async function obtained(world: World, baseUrl: string, options: LoginOptions): Promise<Credential> {
  const { clientId, clientSecretStdin, certificate, key, ca } = options
  if ((certificate === undefined) !== (key === undefined) || (certificate !== undefined && clientId !== undefined)) {
    throw usage('These options do not go together.', 'Give --client-id, or --certificate with --key, or neither.')
  }
  if (certificate !== undefined && key !== undefined) {
    const caFile = ca === undefined ? null : resolve(ca)
    return { kind: 'certificate', certificateFile: resolve(certificate), keyFile: resolve(key), caFile }
  }
  if (clientId !== undefined) {
    return { kind: 'client', clientId, clientSecret: await readSecret(world, clientSecretStdin === true) }
  }
  if (clientSecretStdin) throw usage('A secret needs its client.', 'Name the app client with --client-id.')
  return signedIn(world, baseUrl, options.browser)
}

async function signedIn(world: World, baseUrl: string, mayOpen: boolean): Promise<Credential> {
  const { terminal, environment, stop } = world
  return withSignIn(baseUrl, stop, async (signIn) => {
    const waiting = signIn.signedIn()
    // Whoever ends the program while the browser opens is told by the other end of this promise.
    waiting.catch(() => undefined)
    const isOpen = mayOpen && (await openBrowser(signIn.url, environment))
    terminal.say(isOpen ? 'Your browser shows the sign-in page. If it does not, open:' : 'Open this page to sign in:')
    terminal.say()
    terminal.say(cyan(signIn.url))
    terminal.say()
    terminal.say(dim('Waiting for you … Ctrl-C gives up. On a machine without a browser use --client-id.'))
    return waiting
  })
}

/** From stdin, from the environment, or typed without being shown. It is never an option: others could see it there. */
async function readSecret({ stdin, stop, environment, terminal }: World, fromStdin: boolean): Promise<string> {
  if (fromStdin) return checkedSecret((await readAll(stdin)).trim())
  const { PARTNER_COMMERCE_CLIENT_SECRET } = environment
  if (PARTNER_COMMERCE_CLIENT_SECRET) return PARTNER_COMMERCE_CLIENT_SECRET
  if (!('isTTY' in stdin) || !stdin.isTTY || !terminal.isTold) {
    throw usage(
      'There is no terminal to ask for the client secret.',
      'Set PARTNER_COMMERCE_CLIENT_SECRET, or pipe it in with --client-secret-stdin.',
    )
  }
  const lines = createInterface({ input: stdin, output: hidden(), terminal: true })
  try {
    terminal.ownTold('Client secret: ')
    const typed = await new Promise<string>((typedIn, reject) => {
      lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
      lines.question('', { signal: stop }).then(typedIn, reject)
      lines.on('close', () => typedIn(''))
    })
    return checkedSecret(typed.trim())
  } finally {
    lines.close()
    terminal.ownTold('\n')
  }
}

function checkedSecret(secret: string): string {
  if (secret !== '') return secret
  throw usage('There is no client secret.', 'Type the secret that staff gave you with the client id, or pipe it in.')
}

/** Swallows the echo of what is typed. */
function hidden(): Writable {
  return new Writable({ write: (_piece, _encoding, done) => done() })
}

export function logoutCommand(world: World): Command {
  const made = command('logout', 'End the sign-in, and forget the credential of a profile', [
    'logout',
    'logout --profile production',
  ]).option('--all', 'of all profiles')
  return runs<{ all?: true }>(made, world, async ({ flags, options }) => {
    const { terminal, credentialsFile, environment, stop } = world
    const kept = await readProfiles(credentialsFile)
    const names = options.all ? Object.keys(kept.profiles) : [profileName(kept, flags, {}, environment)]
    const ended: string[] = []
    for (const name of names) {
      const { url, credential } = kept.profiles[name]!
      if (credential.kind === 'person') {
        try {
          await revoked(url, credential, stop)
        } catch (error) {
          if (stop.aborted) throw error
          terminal.say(yellow('! '), `${url} was not told (${(error as Error).message}); the sign-in ends by itself.`)
        }
      }
      await changeProfiles(credentialsFile, (now) => {
        delete now.profiles[name]
        if (now.current === name) now.current = Object.keys(now.profiles)[0] ?? null
      })
      ended.push(name)
    }
    if (flags.json) return terminal.json({ profiles: ended })
    for (const name of ended) terminal.print(green('✓ '), 'Signed out of ', bold(name), '.')
    if (ended.length === 0) terminal.say(dim('Nobody was signed in.'))
  })
}
