import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { ApiProblem, type Identity, type PartnerCommerce, type Site } from '@partner-commerce/client'
import type { Command } from 'commander'
import { command, runs } from '../command.ts'
import { readAddress } from '../credentials/address.ts'
import { isOpenToOthers, type Credential } from '../credentials/profiles.ts'
import { shownDuration } from '../durations.ts'
import { Failure } from '../failure.ts'
import { collected } from '../pages.ts'
import { failureOf, networkReason } from '../report.ts'
import { chooseCredential, clientOf, readPem } from '../session.ts'
import { bold, cyan, dim, green, red, yellow } from '../terminal/pieces.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Flags, World } from '../world.ts'

/** One thing that was looked at. A warning needs attention some day; a failure keeps something from working now. */
export type Finding = { check: string; outcome: 'ok' | 'warning' | 'failed'; finding: string; cure: string | null }

export function doctorCommand(world: World): Command {
  const made = command('doctor', 'Look for what keeps your integration from working, and say what cures it', [
    'doctor',
    'doctor --production --json',
  ]).addHelpText(
    'after',
    '\nIt looks at the connection, the clock, the credential, its scopes and limits, the sites, and certificates.\n' +
      'It exits with 1 if anything fails, and with 3 if nobody is signed in or the credential is not accepted.\n' +
      'Warnings do not count.',
  )
  return runs(made, world, async ({ flags }) => {
    const { terminal } = world
    const findings: Finding[] = []
    let exit: Failure['exit'] = 'failed'
    const endedBy = (failure: Failure): void => {
      if (failure.exit === 'credential') exit = failure.exit
    }
    for await (const finding of examined(world, flags, endedBy)) {
      findings.push(finding)
      if (!flags.json) show(terminal, finding)
    }
    const failed = findings.filter(({ outcome }) => outcome === 'failed').length
    const warnings = findings.filter(({ outcome }) => outcome === 'warning').length
    if (flags.json) terminal.json({ healthy: failed === 0, findings })
    if (failed > 0) {
      throw new Failure(
        exit,
        `${counted(failed, 'check')} of ${findings.length} failed.`,
        'Each says above what cures it.',
      )
    }
    if (flags.json) return
    terminal.print(
      green('✓ '),
      bold(warnings === 0 ? 'Everything is well.' : `It works, with ${counted(warnings, 'warning')}.`),
    )
  })
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function show(terminal: Terminal, { check, outcome, finding, cure }: Finding): void {
  const mark = { ok: green('✓ '), warning: yellow('! '), failed: red('✗ ') }[outcome]
  terminal.print(mark, bold(check), dim(' · '), finding)
  if (cure !== null) terminal.print('  ', cyan(cure))
}

const ok = (check: string, finding: string): Finding => ({ check, outcome: 'ok', finding, cure: null })
const warning = (check: string, finding: string, cure: string): Finding => ({
  check,
  outcome: 'warning',
  finding,
  cure,
})
const failed = (check: string, finding: string, cure: string): Finding => ({ check, outcome: 'failed', finding, cure })

/** @param endedBy is told why there is no credential to look further with */
async function* examined(world: World, flags: Flags, endedBy: (failure: Failure) => void): AsyncGenerator<Finding> {
  const { credentialsFile, stop } = world
  const chosen = await chooseCredential(world, flags, {}).catch((error: unknown) => {
    if (error instanceof Failure) return error
    throw error
  })
  const baseUrl = chosen instanceof Failure ? flags.url && readAddress(flags.url) : chosen.baseUrl
  // Whether the service is there can be asked without a credential.
  const anyone = {
    name: undefined,
    environment: undefined,
    credential: { kind: 'client', clientId: '-', clientSecret: '-' },
  } as const
  if (baseUrl) {
    const client = clientOf(world, chosen instanceof Failure ? { ...anyone, baseUrl } : chosen)
    const isReached = yield* connection(world, baseUrl, client)
    if (!isReached) return
  }
  if (chosen instanceof Failure) {
    endedBy(chosen)
    yield failed('credential', chosen.message, chosen.cure ?? 'Sign in with `partner-commerce login`.')
    return
  }
  if (chosen.name !== undefined) {
    yield (await isOpenToOthers(credentialsFile))
      ? failed(
          'credential file',
          `others can read ${credentialsFile}`,
          `chmod 600 ${credentialsFile}, then replace the credential`,
        )
      : ok('credential file', `only you can read ${credentialsFile}`)
  }
  if (chosen.credential.kind === 'certificate') yield certificateFile(chosen.credential.certificateFile, world.now())
  const client = clientOf(world, chosen)
  let me: Identity
  try {
    me = await client.getMe({}, { signal: stop })
  } catch (error) {
    stop.throwIfAborted()
    const failure = failureOf(error)
    endedBy(failure)
    yield refusedCredential(error, chosen.credential.kind)
    return
  }
  yield ok(
    'credential',
    `${me.user?.userName ?? me.clientId ?? me.certificate?.subjectDn} of ${me.partnerName}, ${me.environment}`,
  )
  if (me.certificate)
    yield expiry('client certificate', me.certificate.expiresOn, world.now(), 'Have staff register the next one.')
  yield* scopes(me)
  yield quota(me)
  yield* sites(me, client, stop)
  yield* secrets(client, stop, world.now())
}

/** A person signs in again; a machine whose token was granted and is not accepted cannot help itself. */
function refusedCredential(error: unknown, kind: Credential['kind']): Finding {
  if (error instanceof ApiProblem && error.status === 401 && kind !== 'person') {
    return failed(
      'credential',
      kind === 'client'
        ? 'the service gives it a token, but takes no call with it'
        : 'the service does not take the certificate',
      `The partner has no site or no scope, or is disabled${kind === 'client' ? '' : ', or the certificate is not registered'}. Ask staff.`,
    )
  }
  const { message, cure } = failureOf(error)
  return failed('credential', lower(message), cure ?? 'Sign in again with `partner-commerce login`.')
}

const skewWarning = 5
/** Signatures of webhooks are good for this long, before and after. */
const skewMax = 300
const slowMilliseconds = 2_000

/** @returns whether the service answers */
async function* connection(
  { stop }: World,
  baseUrl: string,
  client: PartnerCommerce,
): AsyncGenerator<Finding, boolean> {
  const began = Date.now()
  let date: string | null
  try {
    const { response } = await client.ping({}, { signal: stop, timeout: 15_000, retry: { attempts: 1 } }).withResponse()
    date = response.headers.get('date')
  } catch (error) {
    stop.throwIfAborted()
    const reason = networkReason(error)
    const said =
      reason === undefined
        ? `does not answer as it should: ${lower(failureOf(error).message)}`
        : `cannot be reached: ${reason}`
    yield failed(
      'connection',
      `${baseUrl} ${said}`,
      'Check the address, your network, and whether a proxy or firewall lets you out.',
    )
    return false
  }
  const took = Date.now() - began
  yield took > slowMilliseconds
    ? warning('connection', `${baseUrl} took ${took} ms`, 'The way there is slow: look at the network or a proxy.')
    : ok('connection', `${baseUrl} answers in ${took} ms`)
  yield clock(date, began, took)
  const { protocol, hostname, port } = new URL(baseUrl)
  if (protocol === 'https:') yield await serverCertificate(hostname, Number(port || 443), stop)
  return true
}

function clock(date: string | null, began: number, took: number): Finding {
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs))
    return warning('clock', 'the service does not say its time', 'A proxy on the way takes the Date header out.')
  // The header has whole seconds, and was written somewhere between the request and the answer.
  const skew = Math.round((began + took / 2 - (theirs + 500)) / 1000)
  const said = `your clock is ${shownDuration(Math.abs(skew))} ${skew > 0 ? 'ahead' : 'behind'}`
  const cure = 'Set the clock of this machine by NTP: signatures and tokens depend on it.'
  if (Math.abs(skew) > skewMax) return failed('clock', said, cure)
  return Math.abs(skew) > skewWarning ? warning('clock', said, cure) : ok('clock', 'your clock is right')
}

function serverCertificate(host: string, port: number, stop: AbortSignal): Promise<Finding> {
  return new Promise((resolve, reject) => {
    // Whether it is trusted was seen before; this only reads when it ends.
    const socket: TLSSocket = connect(
      { host, port, ...(isIP(host) === 0 && { servername: host }), rejectUnauthorized: false },
      () => {
        const { valid_to: until } = socket.getPeerCertificate()
        socket.destroy()
        resolve(expiry('server certificate', new Date(until).toISOString(), new Date(), 'Tell support: it is theirs.'))
      },
    )
    socket.setTimeout(15_000, () => socket.destroy(new Error('no answer')))
    socket.on('error', ({ message }) =>
      resolve(warning('server certificate', `it cannot be read: ${message}`, 'Try again.')),
    )
    stop.addEventListener('abort', () => {
      socket.destroy()
      reject(stop.reason as Error)
    })
  })
}

const soonDays = 30

function expiry(check: string, expiresOn: string, now: Date, cure: string): Finding {
  const seconds = (Date.parse(expiresOn) - now.getTime()) / 1000
  const on = expiresOn.slice(0, 10)
  if (seconds <= 0) return failed(check, `it expired on ${on}`, cure)
  if (seconds < soonDays * 86_400) return warning(check, `it expires in ${shownDuration(seconds)}, on ${on}`, cure)
  return ok(check, `good until ${on}`)
}

function certificateFile(file: string, now: Date): Finding {
  const cure = 'Sign in with a certificate that is good: `partner-commerce login --certificate FILE --key FILE`.'
  try {
    return expiry('certificate file', new Date(new X509Certificate(readPem(file)).validTo).toISOString(), now, cure)
  } catch (error) {
    return failed('certificate file', `${file} is no certificate: ${(error as Error).message}`, cure)
  }
}

/** What a whole integration uses, beyond reading. */
const usualScopes = [
  'credit:read',
  'divisions:read',
  'divisions:write',
  'orders:read',
  'orders:write',
  'products:read',
  'products:write',
  'sites:read',
  'users:read',
  'users:write',
]

function* scopes(me: Identity): Generator<Finding> {
  const held = me.scopes.map((scope) => scope.replace(/^partner-api\//, ''))
  if (held.length === 0) {
    yield failed('scopes', 'the credential has none', 'Ask staff which scopes your partner has, and sign in again.')
    return
  }
  const missing = usualScopes.filter((scope) => !held.includes(scope))
  if (missing.length === 0) yield ok('scopes', 'all of them')
  else if (missing.includes('orders:write')) {
    yield warning(
      'scopes',
      `${held.join(', ')}; orders cannot be submitted without orders:write`,
      'Ask staff for it if you order.',
    )
  } else yield ok('scopes', `${held.join(', ')}; not ${missing.join(', ')}`)
}

function quota({ limits }: Identity): Finding {
  const { dailyRemaining, dailyQuota, dailyResetsOn } = limits
  const said = `${dailyRemaining} of today's ${dailyQuota} calls are left`
  if (dailyRemaining <= 0)
    return failed('limits', said, `There are more from ${dailyResetsOn}; ask staff for a higher tier.`)
  if (dailyRemaining < dailyQuota / 20)
    return warning('limits', said, 'Read less often, or ask staff for a higher tier.')
  return ok('limits', said)
}

async function* sites(me: Identity, client: PartnerCommerce, stop: AbortSignal): AsyncGenerator<Finding> {
  if (me.grantedSiteIds.length === 0) {
    yield failed('sites', 'no site is granted to you', 'Ask staff to grant your partner a site.')
    return
  }
  if (!me.scopes.includes('partner-api/sites:read')) {
    yield warning(
      'sites',
      `${me.grantedSiteIds.length} granted; not looked at without sites:read`,
      'Ask staff for the scope.',
    )
    return
  }
  const { records } = await collected(client.listSites({}, { signal: stop }))
  let ready = 0
  for (const site of records) {
    const finding = readiness(site)
    if (finding.outcome === 'ok') ready += 1
    yield finding
  }
  if (ready === 0)
    yield failed('ordering', 'orders can be placed on no site of yours', 'See what cures the sites above.')
}

function readiness({ siteId, name, active, orderingProvisioned, searchAvailable }: Site): Finding {
  const check = `site ${siteId}`
  if (!active) return warning(check, `${name} is not active`, 'Staff activate it.')
  if (!orderingProvisioned) {
    return warning(check, `${name} takes no orders: it has no ordering user`, 'Ask staff to name its ordering user.')
  }
  return ok(check, `${name} takes orders${searchAvailable ? '' : '; search is not available'}`)
}

/** What expires behind the credential at hand: the other app clients and certificates of the partner. */
async function* secrets(client: PartnerCommerce, stop: AbortSignal, now: Date): AsyncGenerator<Finding> {
  const { records } = await collected(client.listCredentials({}, { signal: stop }))
  for (const { credentialId, kind, status, expiresOn } of records) {
    if (expiresOn === null || status === 'ACTIVE') continue
    const what = kind === 'CERTIFICATE' ? 'certificate' : 'app client'
    yield expiry(`${what} ${credentialId}`, expiresOn, now, 'Ask staff for the next one, and change over before then.')
  }
}

function lower(text: string): string {
  return text.replace(/^[A-Z]/, (first) => first.toLowerCase()).replace(/\.$/, '')
}
