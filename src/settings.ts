import { isIP } from 'node:net'
import { resolve, sep } from 'node:path'
import { connectionLimits, type ConnectionClass, type ConnectionLimits } from './database/database.ts'
import type { SmtpServer } from './outside/mailer/smtp-mailer.ts'
import { easyPostUrl } from './outside/carriers/easypost.ts'
import { stripeUrl } from './outside/tax-service/stripe-tax.ts'
import { addressRanges } from './vocabulary/address-ranges.ts'
import type { Environment } from './vocabulary/environment.ts'
import { SettingRefused } from './vocabulary/setting-refused.ts'
import { samplerNames, type TraceSettings } from './vocabulary/tracing.ts'
import { isEmailForm } from './vocabulary/text.ts'
import type { MasterKeys } from './vocabulary/keys.ts'

/** For how many days what is kept for a time only is kept. */
export type KeepDays = Readonly<Record<keyof typeof keepVariables, number>>

/** All settings, read once from variables (`variables.ts` says where from) and checked before anything starts. */
export type Settings = {
  keepDays: KeepDays
  role: 'all' | 'api' | 'worker'
  /** the address on which each listener listens */
  addresses: Readonly<Record<ListenerName, string>>
  ports: Readonly<Record<ListenerName, number>>
  /** with a proxy in front: the URL that partners use instead of the listener's own */
  publicUrls: Readonly<Partial<Record<ListenerName, string>>>
  dataDir: string
  /** where the embedded database and files are backed up; undefined = nowhere */
  backupDir: string | undefined
  /** undefined = the embedded server */
  databaseUrl: string | undefined
  sandboxDatabaseUrl: string | undefined
  /** the same databases for the role that owns their tables and migrates; undefined = that of `databaseUrl` does it */
  migrationDatabaseUrl: string | undefined
  sandboxMigrationDatabaseUrl: string | undefined
  /** a physical replica of the production database, for reads that may lag */
  databaseReplicaUrl: string | undefined
  /** how many connections each class may have, for each environment */
  connections: ConnectionLimits
  /** where processes share their rate limits; undefined = each process counts for itself */
  redisUrl: string | undefined
  /** undefined = the key file in the data folder */
  secretKeys: MasterKeys | undefined
  /** the variable that gave them, for refusals */
  secretKeysIn: 'SECRET_KEY' | 'SECRET_KEYS' | undefined
  /** undefined = files are stored in the data folder */
  s3: S3Location | undefined
  /**
   * without a URL, demo data brings a vendor of its own on this port (0 = any free one); without demo data there is
   * none
   */
  templateVendor: { url: string | undefined; port: number }
  /** where mails go; undefined = they are kept in the data folder */
  smtp: SmtpServer | undefined
  /** accounts at a company that speaks to carriers; undefined = none, so rates come from tables only */
  easyPost: OutsideAccounts | undefined
  /** accounts at a tax service; undefined = none, so taxes come from tables only */
  stripe: OutsideAccounts | undefined
  /** how long a process that was asked to stop still answers, so that balancers send their requests elsewhere */
  drainSeconds: number
  /** `DEMO`: `on` or `cast` */
  demo: boolean
  /** also the thousands of rows around the demo cast; not with `DEMO=cast`, which is for quick starts */
  demoCrowd: boolean
  /** `off` turns off partner limits, quotas, the edge rule and the token endpoint's limit; only with demo data */
  limits: 'on' | 'off'
  /** of the source that runs, for the metrics; undefined = not known */
  revision: string | undefined
  logLevel: string
  /** undefined = nothing is traced */
  tracing: TraceSettings | undefined
  /** addresses of proxies that are trusted to write X-Forwarded-For */
  trustedProxies: readonly string[]
  mutualTls: MutualTlsSettings
  searchAvailable: boolean
  /** hosts that may be webhook receivers in the sandbox although their addresses are not public */
  sandboxWebhookHosts: readonly string[]
  /** hosts from which artwork may be fetched although their addresses are not public */
  artworkHosts: readonly string[]
  /** hosts from which documents of applications may be fetched although their addresses are not public */
  signInClientHosts: readonly string[]
}

/**
 * Where TLS ends on the mutual-TLS host: at this service, with the server certificate of these files or one of its own
 * (`self-made`), or at a proxy at these addresses, which passes the client's certificate on in a header.
 */
export type MutualTlsSettings =
  | { by: 'self-made' }
  | { by: 'files'; certFile: string; keyFile: string }
  | { by: 'proxy'; addresses: readonly string[]; header: string }

/** An address of a company, and the key of each environment's account there; undefined = it has none. */
export type OutsideAccounts = { url: string; keys: Readonly<Record<Environment, string | undefined>> }

/** The S3 in which files are stored, and its credentials. */
export type S3Location = {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** the bucket is in the path instead of the host name */
  pathStyle: boolean
}

export type ListenerName = 'api' | 'mtls' | 'sandbox' | 'developer' | 'console' | 'storage' | 'ops'

type Variables = Readonly<Record<string, string | undefined>>

const ports = {
  api: ['PORT', 8080],
  mtls: ['MTLS_PORT', 8443],
  sandbox: ['SANDBOX_PORT', 8081],
  developer: ['DEVELOPER_PORT', 8060],
  console: ['CONSOLE_PORT', 8070],
  storage: ['STORAGE_PORT', 8090],
  ops: ['OPS_PORT', 9090],
} as const satisfies Record<ListenerName, readonly [variable: string, fallback: number]>

/** What only the company's own people and machines use listens on this machine, however open `HOST` is. */
const addressVariables = {
  api: 'HOST',
  mtls: 'HOST',
  sandbox: 'HOST',
  developer: 'HOST',
  console: 'CONSOLE_HOST',
  storage: 'HOST',
  ops: 'OPS_HOST',
} as const satisfies Record<ListenerName, string>

const publicUrlVariables = {
  api: 'PUBLIC_BASE_URL',
  mtls: 'PUBLIC_MTLS_BASE_URL',
  sandbox: 'PUBLIC_SANDBOX_BASE_URL',
  developer: 'PUBLIC_DEVELOPER_URL',
  console: 'PUBLIC_CONSOLE_URL',
  storage: 'PUBLIC_STORAGE_URL',
  ops: 'PUBLIC_OPS_URL',
} as const satisfies Record<ListenerName, string>

/**
 * By kind: the variable, the days without it, the fewest and the most. The fewest are what the service itself needs: partners
 * look up deliveries and calls of the last days, and a request log shorter than two weeks is kept two weeks by the database.
 */
const keepVariables = {
  deliveries: ['KEEP_DELIVERIES_DAYS', 30, 7, 365],
  mails: ['KEEP_MAILS_DAYS', 90, 7, 3_650],
  requests: ['KEEP_REQUESTS_DAYS', 14, 14, 365],
  quotas: ['KEEP_QUOTAS_DAYS', 30, 2, 3_650],
} as const satisfies Record<string, readonly [variable: string, fallback: number, min: number, max: number]>

const listenerNames = Object.keys(ports) as ListenerName[]

/** @throws SettingRefused on the first value that cannot be used */
export function readSettings(variables: Variables): Settings {
  const databaseUrl = postgresUrl(variables, 'DATABASE_URL')
  const sandboxDatabaseUrl = postgresUrl(variables, 'SANDBOX_DATABASE_URL')
  if ((databaseUrl === undefined) !== (sandboxDatabaseUrl === undefined)) {
    const missing = databaseUrl === undefined ? 'DATABASE_URL' : 'SANDBOX_DATABASE_URL'
    throw new SettingRefused(`${missing} must be set too: the two environments use two databases of the same kind.`)
  }
  if (databaseUrl !== undefined && databaseUrl === sandboxDatabaseUrl) {
    throw new SettingRefused('SANDBOX_DATABASE_URL must name another database than DATABASE_URL.')
  }
  const migrationDatabaseUrl = postgresUrl(variables, 'MIGRATION_DATABASE_URL')
  const sandboxMigrationDatabaseUrl = postgresUrl(variables, 'SANDBOX_MIGRATION_DATABASE_URL')
  if ((migrationDatabaseUrl === undefined) !== (sandboxMigrationDatabaseUrl === undefined)) {
    const missing = migrationDatabaseUrl === undefined ? 'MIGRATION_DATABASE_URL' : 'SANDBOX_MIGRATION_DATABASE_URL'
    throw new SettingRefused(`${missing} must be set too: both databases are migrated by their owners, or neither.`)
  }
  if (migrationDatabaseUrl !== undefined && databaseUrl === undefined) {
    throw new SettingRefused(
      'MIGRATION_DATABASE_URL needs DATABASE_URL: the embedded database has an owner of its own.',
    )
  }
  const databaseReplicaUrl = postgresUrl(variables, 'DATABASE_REPLICA_URL')
  if (databaseReplicaUrl !== undefined && databaseUrl === undefined) {
    throw new SettingRefused('DATABASE_REPLICA_URL needs DATABASE_URL: the embedded database has no replica.')
  }
  const demoData = word(variables, 'DEMO', ['on', 'cast', 'off'], databaseUrl === undefined ? 'on' : 'off')
  const demo = demoData !== 'off'
  const limits = word(variables, 'BENCH_LIMITS', ['on', 'off'], 'on')
  if (limits === 'off' && !demo) {
    throw new SettingRefused(
      'BENCH_LIMITS=off lifts all limits and is only allowed with demo data (DEMO=on or DEMO=cast).',
    )
  }
  const sandboxWebhookHosts = hosts(variables, 'SANDBOX_WEBHOOK_HOSTS', demo ? '127.0.0.1,localhost' : '')
  if (!demo && sandboxWebhookHosts.some(isThisMachine)) {
    throw new SettingRefused('SANDBOX_WEBHOOK_HOSTS may name this machine only with demo data (DEMO=on or DEMO=cast).')
  }
  const dataDir = variables.DATA_DIR ?? 'var'
  if (dataDir.trim() === '') throw new SettingRefused('DATA_DIR must name a folder.')
  return {
    role: word(variables, 'ROLE', ['all', 'api', 'worker'], 'all'),
    addresses: byListener((name) => address(variables, addressVariables[name])),
    ports: byListener((name) => port(variables, ports[name][0], ports[name][1])),
    publicUrls: byListener((name) => webUrl(variables, publicUrlVariables[name])),
    dataDir: resolve(dataDir),
    backupDir: backupDir(variables, resolve(dataDir), databaseUrl),
    keepDays: keepDays(variables),
    databaseUrl,
    sandboxDatabaseUrl,
    migrationDatabaseUrl,
    sandboxMigrationDatabaseUrl,
    databaseReplicaUrl,
    connections: connections(variables),
    redisUrl: redisUrl(variables),
    secretKeys: secretKeys(variables),
    secretKeysIn: variables.SECRET_KEY ? 'SECRET_KEY' : variables.SECRET_KEYS ? 'SECRET_KEYS' : undefined,
    s3: s3Location(variables),
    templateVendor: {
      url: webUrl(variables, 'TEMPLATE_VENDOR_URL'),
      port: port(variables, 'TEMPLATE_VENDOR_PORT', 0),
    },
    smtp: smtpServer(variables),
    easyPost: outsideAccounts(variables, 'EASYPOST', easyPostUrl),
    stripe: outsideAccounts(variables, 'STRIPE', stripeUrl),
    drainSeconds: seconds(variables, 'DRAIN_SECONDS', 0, 600),
    demo,
    demoCrowd: demoData === 'on',
    limits,
    revision: revision(variables),
    logLevel: word(variables, 'LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    tracing: traceSettings(variables),
    trustedProxies: addresses(variables, 'TRUSTED_PROXIES'),
    mutualTls: mutualTls(variables),
    artworkHosts: hosts(variables, 'ARTWORK_HOSTS'),
    signInClientHosts: hosts(variables, 'SIGN_IN_CLIENT_HOSTS'),
    sandboxWebhookHosts,
    searchAvailable: word(variables, 'SEARCH', ['on', 'off'], 'on') === 'on',
  }
}

/** The URL by which partners reach a listener: the public URL if a proxy is in front, else its own address and port. */
export function listenerUrl(
  settings: Pick<Settings, 'addresses' | 'publicUrls'>,
  name: ListenerName,
  listensAt: number,
): string {
  const listensOn = settings.addresses[name]
  const host = listensOn === '0.0.0.0' || listensOn === '::' ? '127.0.0.1' : listensOn
  return (
    settings.publicUrls[name] ??
    `${name === 'mtls' ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${listensAt}`
  )
}

/** The variables that say where a listener listens, for refusals. */
export function variablesOf(name: ListenerName): { address: string; port: string } {
  return { address: addressVariables[name], port: ports[name][0] }
}

function byListener<Value>(value: (name: ListenerName) => Value): Record<ListenerName, Value> {
  return Object.fromEntries(listenerNames.map((name) => [name, value(name)])) as Record<ListenerName, Value>
}

function word<const Words extends readonly string[]>(
  variables: Variables,
  name: string,
  words: Words,
  fallback: Words[number],
): Words[number] {
  const value = variables[name]
  if (value === undefined || value === '') return fallback
  if (!words.includes(value)) throw new SettingRefused(`${name} must be one of ${words.join(', ')}, not "${value}".`)
  return value
}

function backupDir(variables: Variables, dataDir: string, databaseUrl: string | undefined): string | undefined {
  const value = variables.BACKUP_DIR || undefined
  if (value === undefined) return undefined
  if (databaseUrl !== undefined) {
    throw new SettingRefused(
      'BACKUP_DIR is for the embedded database: with DATABASE_URL, back up that PostgreSQL with its own tools (docs/backup.md).',
    )
  }
  const folder = resolve(value)
  if (folder === dataDir || folder.startsWith(`${dataDir}${sep}`) || dataDir.startsWith(`${folder}${sep}`)) {
    throw new SettingRefused('BACKUP_DIR must be a folder apart from DATA_DIR, best on another disk.')
  }
  return folder
}

function keepDays(variables: Variables): KeepDays {
  const entries = Object.entries(keepVariables).map(([kind, [name, fallback, min, max]]) => {
    const value = variables[name]
    if (value === undefined || value === '') return [kind, fallback]
    const days = Number(value)
    if (!/^\d{1,4}$/.test(value) || days < min || days > max)
      throw new SettingRefused(`${name} must be a number of days from ${min} to ${max}, not "${value}".`)
    return [kind, days]
  })
  return Object.fromEntries(entries) as KeepDays
}

function port(variables: Variables, name: string, fallback: number): number {
  const value = variables[name]
  if (value === undefined || value === '') return fallback
  const number = Number(value)
  if (!/^\d{1,5}$/.test(value) || number > 65_535) {
    throw new SettingRefused(`${name} must be a port from 0 to 65535 (0 = any free one), not "${value}".`)
  }
  return number
}

const connectionVariables = {
  reads: 'DATABASE_READ_CONNECTIONS',
  lists: 'DATABASE_LIST_CONNECTIONS',
  long_reads: 'DATABASE_LONG_READ_CONNECTIONS',
  changes: 'DATABASE_CHANGE_CONNECTIONS',
} as const satisfies Record<ConnectionClass, string>

function connections(variables: Variables): ConnectionLimits {
  const limitOf = (name: ConnectionClass): number => {
    const value = variables[connectionVariables[name]] || String(connectionLimits[name])
    if (/^[1-9]\d{0,2}$/.test(value)) return Number(value)
    throw new SettingRefused(`${connectionVariables[name]} must be a number from 1 to 999, not "${value}".`)
  }
  const names = Object.keys(connectionVariables) as ConnectionClass[]
  return Object.fromEntries(names.map((name) => [name, limitOf(name)])) as ConnectionLimits
}

function seconds(variables: Variables, name: string, fallback: number, max: number): number {
  const value = variables[name]
  if (value === undefined || value === '') return fallback
  if (!/^\d{1,6}$/.test(value) || Number(value) > max) {
    throw new SettingRefused(`${name} must be a whole number of seconds from 0 to ${max}, not "${value}".`)
  }
  return Number(value)
}

/** An address or a name of this machine; whether it can be listened on shows when a listener opens. */
function address(variables: Variables, name: string): string {
  const value = variables[name] || '127.0.0.1'
  if (!/^[\w.:%-]+$/.test(value)) {
    throw new SettingRefused(`${name} must be an address such as 127.0.0.1, 0.0.0.0 or ::, not "${value}".`)
  }
  return value
}

function url(variables: Variables, name: string, protocols: readonly string[]): string | undefined {
  const value = variables[name]
  if (value === undefined || value === '') return undefined
  const beginnings = protocols.map((protocol) => `${protocol}//`)
  // The value may contain a password, so the sentence names only the variable.
  if (!URL.canParse(value) || !beginnings.some((beginning) => value.startsWith(beginning))) {
    throw new SettingRefused(`${name} must be a URL starting with ${beginnings.join(' or ')}.`)
  }
  return value
}

function postgresUrl(variables: Variables, name: string): string | undefined {
  const value = url(variables, name, ['postgres:', 'postgresql:'])
  if (value === undefined) return undefined
  const { username, password, hostname, pathname } = new URL(value)
  if (![username, password, hostname, pathname].every(isEscaped)) {
    throw new SettingRefused(
      `${name} has a % without two hexadecimal digits after it: write %25 for the character itself.`,
    )
  }
  return value
}

/** A base URL in its normal form, without a slash at the end. */
function webUrl(variables: Variables, name: string): string | undefined {
  const value = url(variables, name, ['http:', 'https:'])
  if (value === undefined) return undefined
  const { origin, pathname, username, password } = new URL(value)
  if (/[?#]/.test(value) || username !== '' || password !== '') {
    throw new SettingRefused(`${name} must be a URL without a user, a query and a fragment.`)
  }
  return (origin + pathname).replace(/\/+$/, '')
}

function redisUrl(variables: Variables): string | undefined {
  const value = url(variables, 'REDIS_URL', ['redis:', 'rediss:'])
  if (value === undefined) return undefined
  const { hostname, pathname, username, password } = new URL(value)
  if (hostname === '' || !/^(?:\/\d{0,4})?$/.test(pathname) || !isEscaped(username) || !isEscaped(password)) {
    throw new SettingRefused('REDIS_URL must have the form redis://[user:password@]host[:port][/database-number].')
  }
  return value
}

/** By the names that OpenTelemetry gives them. All are checked, also where nothing is traced. */
function traceSettings(variables: Variables): TraceSettings | undefined {
  const endpoint = webUrl(variables, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  const headers = headersOf(variables, 'OTEL_EXPORTER_OTLP_HEADERS')
  const serviceName = variables.OTEL_SERVICE_NAME || 'partner-commerce'
  if (!/^[\w./-]{1,64}$/.test(serviceName)) {
    throw new SettingRefused('OTEL_SERVICE_NAME must be a name of up to 64 letters, digits and . / _ -.')
  }
  const sampler = word(variables, 'OTEL_TRACES_SAMPLER', samplerNames, 'parentbased_always_on')
  const text = variables.OTEL_TRACES_SAMPLER_ARG || '1'
  const ratio = Number(text)
  if (!/^[\d.]{1,12}$/.test(text) || !(ratio >= 0 && ratio <= 1)) {
    throw new SettingRefused(`OTEL_TRACES_SAMPLER_ARG must be a part from 0 to 1, such as 0.1, not "${text}".`)
  }
  return endpoint === undefined ? undefined : { endpoint, headers, serviceName, sampler, ratio }
}

/** The value holds a credential, so no sentence repeats it. */
function headersOf(variables: Variables, name: string): Record<string, string> {
  const pairs = listed(variables, name).map((pair) => {
    const [, header, value] = /^([\w-]+)\s*=\s*(\S.*)$/.exec(pair) ?? []
    if (
      header === undefined ||
      value === undefined ||
      !isEscaped(value) ||
      !/^[ -~]*$/.test(decodeURIComponent(value))
    ) {
      throw new SettingRefused(
        `${name} must list headers as name=value, with commas between and values percent-encoded.`,
      )
    }
    return [header, decodeURIComponent(value)]
  })
  return Object.fromEntries(pairs) as Record<string, string>
}

/** It is a label of a metric. */
function revision(variables: Variables): string | undefined {
  const value = variables.REVISION || undefined
  if (value !== undefined && !/^[\w.+-]{1,64}$/.test(value)) {
    throw new SettingRefused('REVISION must be the name of a revision: up to 64 letters, digits and . _ + -.')
  }
  return value
}

/** Whether all percent escapes are complete. */
function isEscaped(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Newest first. */
function secretKeys(variables: Variables): MasterKeys | undefined {
  const one = variables.SECRET_KEY || undefined
  const several = variables.SECRET_KEYS || undefined
  if (one !== undefined && several !== undefined) {
    throw new SettingRefused(
      'SECRET_KEYS and SECRET_KEY must not both be set: list all keys in SECRET_KEYS, newest first.',
    )
  }
  if (one !== undefined && !keyForm.test(one))
    throw new SettingRefused('SECRET_KEY must be 64 hexadecimal digits (32 bytes).')
  const [first, ...others] = one === undefined ? listed(variables, 'SECRET_KEYS') : [one]
  if (first === undefined) {
    if (several === undefined) return undefined
    throw new SettingRefused('SECRET_KEYS must list at least one key.')
  }
  const all = [first, ...others]
  if (!all.every((key) => keyForm.test(key)))
    throw new SettingRefused(
      'SECRET_KEYS must list keys of 64 hexadecimal digits (32 bytes) each, with commas between.',
    )
  if (new Set(all.map((key) => key.toLowerCase())).size < all.length)
    throw new SettingRefused('SECRET_KEYS must not list a key twice.')
  return [Buffer.from(first, 'hex'), ...others.map((key) => Buffer.from(key, 'hex'))]
}

const keyForm = /^[0-9a-f]{64}$/i

const s3Variables = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** The sandbox has a key of its own, such as a test key, so that nothing there is bought or counted. */
function outsideAccounts(variables: Variables, name: string, publicUrl: string): OutsideAccounts | undefined {
  const keyOf = (variable: string): string | undefined => {
    const value = variables[variable] || undefined
    if (value === undefined || /^[!-9;-~]{8,200}$/.test(value)) return value
    throw new SettingRefused(`${variable} must be a key of 8 to 200 visible ASCII characters without a colon.`)
  }
  const keys = { PRODUCTION: keyOf(`${name}_API_KEY`), SANDBOX: keyOf(`SANDBOX_${name}_API_KEY`) }
  const ownUrl = webUrl(variables, `${name}_URL`)
  if (keys.PRODUCTION === undefined && keys.SANDBOX === undefined) return undefined
  return { url: ownUrl ?? publicUrl, keys }
}

/** All settings or none: a missing one would only be noticed when the first file is stored. */
function s3Location(variables: Variables): S3Location | undefined {
  const pathStyle = word(variables, 'S3_PATH_STYLE', ['on', 'off'], 'off') === 'on'
  const missing = s3Variables.filter((name) => (variables[name] ?? '') === '')
  if (missing.length === s3Variables.length) return undefined
  if (missing.length > 0) {
    throw new SettingRefused(`${missing[0]} must be set too: files in S3 need ${s3Variables.join(', ')}.`)
  }
  if (!/^[\w-]+$/.test(variables.S3_REGION!)) throw new SettingRefused('S3_REGION must be the name of a region.')
  if (!/^\w[\w.-]*$/.test(variables.S3_BUCKET!)) throw new SettingRefused('S3_BUCKET must be the name of a bucket.')
  return {
    endpoint: webUrl(variables, 'S3_ENDPOINT')!,
    region: variables.S3_REGION!,
    bucket: variables.S3_BUCKET!,
    accessKeyId: variables.S3_ACCESS_KEY_ID!,
    secretAccessKey: variables.S3_SECRET_ACCESS_KEY!,
    pathStyle,
  }
}

/** The value holds a password, so no sentence repeats it. */
function smtpServer(variables: Variables): SmtpServer | undefined {
  const value = url(variables, 'SMTP_URL', ['smtp:', 'smtps:'])
  const fromAddress = variables.MAIL_FROM || undefined
  if (fromAddress !== undefined && !isEmailForm(fromAddress)) {
    throw new SettingRefused(`MAIL_FROM must be an e-mail address such as orders@example.com, not "${fromAddress}".`)
  }
  if (value === undefined) return undefined
  if (fromAddress === undefined)
    throw new SettingRefused('MAIL_FROM must be set too: mails need the address of a sender.')
  const { protocol, hostname, port: given, pathname, username, password } = new URL(value)
  if (
    hostname === '' ||
    !/^\/?$/.test(pathname) ||
    /[?#]/.test(value) ||
    !isEscaped(username) ||
    !isEscaped(password)
  ) {
    throw new SettingRefused(
      'SMTP_URL must have the form smtp://[user:password@]host[:port], or smtps:// with TLS from the start.',
    )
  }
  if (password !== '' && username === '') throw new SettingRefused('SMTP_URL has a password, but no user.')
  const host = hostname.replace(/^\[|\]$/g, '')
  const isTls = protocol === 'smtps:'
  return {
    host,
    port: given === '' ? (isTls ? 465 : 587) : Number(given),
    isTls,
    mustEncrypt: !isThisMachine(host),
    user: username === '' ? undefined : decodeURIComponent(username),
    password: password === '' ? undefined : decodeURIComponent(password),
    fromAddress,
  }
}

function listed(variables: Variables, name: string, unset = ''): string[] {
  return (variables[name] ?? unset)
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean)
}

/** Hosts in the form in which they are compared: that of `URL.hostname`, without brackets. */
function hosts(variables: Variables, name: string, unset?: string): string[] {
  return listed(variables, name, unset).map((text) => {
    const host = isIP(text) === 6 ? `[${text}]` : text
    if ((host === text && /[/?#@:*\\\s]/.test(text)) || !URL.canParse(`http://${host}`)) {
      throw new SettingRefused(`${name} must list host names and addresses: "${text}" is neither.`)
    }
    return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')
  })
}

/** Partners choose the sandbox's receivers, and what listens on loopback often trusts whoever gets there. */
function isThisMachine(host: string): boolean {
  return /^(.*\.)?localhost\.?$/.test(host) || (isIP(host) !== 0 && thisMachine(host))
}

const thisMachine = addressRanges([
  '127.0.0.0/8',
  '0.0.0.0/8',
  '::1',
  '::',
  '::ffff:127.0.0.0/104',
  '::ffff:0.0.0.0/104',
])

function addresses(variables: Variables, name: string): string[] {
  const texts = listed(variables, name)
  try {
    addressRanges(texts)
  } catch (error) {
    throw new SettingRefused(`${name} must list addresses and ranges: ${(error as Error).message}.`)
  }
  return texts
}

function mutualTls(variables: Variables): MutualTlsSettings {
  const [certFile, keyFile] = [variables.MTLS_CERT_FILE || undefined, variables.MTLS_KEY_FILE || undefined]
  const proxies = addresses(variables, 'MTLS_PROXY_ADDRESSES')
  const header = (variables.MTLS_PROXY_HEADER || 'X-Client-Cert').toLowerCase()
  if (!/^[a-z0-9-]+$/.test(header)) throw new SettingRefused('MTLS_PROXY_HEADER must be the name of a header.')
  if (proxies.length > 0) {
    if (certFile !== undefined || keyFile !== undefined) {
      throw new SettingRefused(
        'MTLS_PROXY_ADDRESSES leaves TLS to the proxy: MTLS_CERT_FILE and MTLS_KEY_FILE must not be set.',
      )
    }
    return { by: 'proxy', addresses: proxies, header }
  }
  if (certFile === undefined && keyFile === undefined) return { by: 'self-made' }
  if (certFile === undefined || keyFile === undefined) {
    throw new SettingRefused(`${certFile === undefined ? 'MTLS_CERT_FILE' : 'MTLS_KEY_FILE'} must be set too.`)
  }
  return { by: 'files', certFile: resolve(certFile), keyFile: resolve(keyFile) }
}
