import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { listenerUrl, readSettings } from './settings.ts'

const one = 'postgres://app:hidden@127.0.0.1/one'
const two = 'postgres://app:hidden@127.0.0.1/two'

const s3 = {
  S3_ENDPOINT: 'https://s3.example.com',
  S3_REGION: 'eu-central-1',
  S3_BUCKET: 'files',
  S3_ACCESS_KEY_ID: 'hidden',
  S3_SECRET_ACCESS_KEY: 'hidden',
}

function sentence(variables: Record<string, string>): string {
  try {
    readSettings(variables)
  } catch (error) {
    assert.equal((error as Error).name, 'SettingRefused')
    return (error as Error).message
  }
  return assert.fail(`accepted: ${JSON.stringify(variables)}`)
}

test('without any variables the service serves only this machine, from its own database with demo data', () => {
  const settings = readSettings({})
  assert.deepEqual(settings.ports, {
    api: 8080,
    mtls: 8443,
    sandbox: 8081,
    developer: 8060,
    console: 8070,
    storage: 8090,
    ops: 9090,
  })
  assert.deepEqual(new Set(Object.values(settings.addresses)), new Set(['127.0.0.1']))
  assert.deepEqual([settings.dataDir, settings.role], [resolve('var'), 'all'])
  assert.deepEqual([settings.databaseUrl, settings.sandboxDatabaseUrl], [undefined, undefined])
  assert.deepEqual([settings.demo, settings.demoCrowd, settings.limits], [true, true, 'on'])
})

test('an empty variable counts as not set', () => {
  const names = [
    'HOST',
    'PORT',
    'ROLE',
    'DEMO',
    'BENCH_LIMITS',
    'LOG_LEVEL',
    'KEEP_DELIVERIES_DAYS',
    'KEEP_MAILS_DAYS',
    'KEEP_REQUESTS_DAYS',
    'KEEP_QUOTAS_DAYS',
    'DATABASE_URL',
    'SECRET_KEY',
    'PUBLIC_BASE_URL',
  ]
  assert.deepEqual(readSettings(Object.fromEntries(names.map((name) => [name, '']))), readSettings({}))
})

test('each class of connections has a number of its own', () => {
  const { connections } = readSettings({ DATABASE_LIST_CONNECTIONS: '12', DATABASE_LONG_READ_CONNECTIONS: '' })
  assert.deepEqual(connections, { reads: 2, lists: 12, long_reads: 4, changes: 20 })
})

test('HOST opens what partners use, and leaves staff and operations to this machine', () => {
  const everywhere = '0.0.0.0'
  const own = '127.0.0.1'
  const partners = {
    api: everywhere,
    mtls: everywhere,
    sandbox: everywhere,
    developer: everywhere,
    storage: everywhere,
  }
  assert.deepEqual(readSettings({ HOST: everywhere }).addresses, { ...partners, console: own, ops: own })
  const apart = readSettings({ CONSOLE_HOST: '10.0.0.5', OPS_HOST: '::' })
  assert.deepEqual([apart.addresses.console, apart.addresses.ops, apart.addresses.api], ['10.0.0.5', '::', own])
  assert.equal(listenerUrl(apart, 'console', 8070), 'http://10.0.0.5:8070')
  assert.equal(listenerUrl(apart, 'ops', 9090), 'http://127.0.0.1:9090')
})

test('demo data is on by default with the embedded database, with or without its crowd', () => {
  const demo = (variables: Record<string, string>): boolean[] => {
    const settings = readSettings(variables)
    return [settings.demo, settings.demoCrowd]
  }
  assert.deepEqual(demo({ DEMO: 'cast' }), [true, false])
  assert.deepEqual(demo({ DEMO: 'off' }), [false, false])
  assert.deepEqual(demo({ DATABASE_URL: one, SANDBOX_DATABASE_URL: two }), [false, false])
  assert.deepEqual(demo({ DATABASE_URL: one, SANDBOX_DATABASE_URL: two, DEMO: 'on' }), [true, true])
})

test('an invalid value is refused in one sentence that names the variable and repeats no secret', () => {
  const wrong: [named: string, variables: Record<string, string>][] = [
    ['PORT', { PORT: 'http' }],
    ['PORT', { PORT: '8080.0' }],
    ['MTLS_PORT', { MTLS_PORT: '65536' }],
    ['OPS_PORT', { OPS_PORT: '-1' }],
    ['HOST', { HOST: 'http://127.0.0.1' }],
    ['CONSOLE_HOST', { CONSOLE_HOST: '127.0.0.1, ::1' }],
    ['OPS_HOST', { OPS_HOST: '[::1]' }],
    ['DRAIN_SECONDS', { DRAIN_SECONDS: '1.5' }],
    ['DRAIN_SECONDS', { DRAIN_SECONDS: '601' }],
    ['ROLE', { ROLE: 'boss' }],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' }],
    ['OTEL_EXPORTER_OTLP_HEADERS', { OTEL_EXPORTER_OTLP_HEADERS: 'hidden' }],
    ['OTEL_SERVICE_NAME', { OTEL_SERVICE_NAME: 'a b' }],
    ['OTEL_TRACES_SAMPLER', { OTEL_TRACES_SAMPLER: 'sometimes' }],
    ['OTEL_TRACES_SAMPLER_ARG', { OTEL_TRACES_SAMPLER_ARG: '1.5' }],
    ['DEMO', { DEMO: 'maybe' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['KEEP_MAILS_DAYS', { KEEP_MAILS_DAYS: '6' }],
    ['KEEP_DELIVERIES_DAYS', { KEEP_DELIVERIES_DAYS: 'never' }],
    ['KEEP_REQUESTS_DAYS', { KEEP_REQUESTS_DAYS: '13' }],
    ['KEEP_QUOTAS_DAYS', { KEEP_QUOTAS_DAYS: '1' }],
    ['SEARCH', { SEARCH: 'yes' }],
    ['DATABASE_READ_CONNECTIONS', { DATABASE_READ_CONNECTIONS: '0' }],
    ['DATABASE_CHANGE_CONNECTIONS', { DATABASE_CHANGE_CONNECTIONS: 'many' }],
    ['BENCH_LIMITS', { BENCH_LIMITS: 'none' }],
    ['BENCH_LIMITS', { BENCH_LIMITS: 'off', DEMO: 'off' }],
    ['BENCH_LIMITS', { BENCH_LIMITS: 'off', DATABASE_URL: one, SANDBOX_DATABASE_URL: two }],
    ['SANDBOX_DATABASE_URL', { DATABASE_URL: one }],
    ['DATABASE_URL', { SANDBOX_DATABASE_URL: one }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://app:hidden@127.0.0.1/one', SANDBOX_DATABASE_URL: two }],
    ['DATABASE_URL', { DATABASE_URL: 'hidden', SANDBOX_DATABASE_URL: two }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://app:hidden%zz@127.0.0.1/one', SANDBOX_DATABASE_URL: two }],
    ['SANDBOX_DATABASE_URL', { DATABASE_URL: one, SANDBOX_DATABASE_URL: 'postgres://app:hidden%e@127.0.0.1/two' }],
    ['SANDBOX_DATABASE_URL', { DATABASE_URL: one, SANDBOX_DATABASE_URL: one }],
    ['MIGRATION_DATABASE_URL', { MIGRATION_DATABASE_URL: one, SANDBOX_MIGRATION_DATABASE_URL: two }],
    ['SANDBOX_MIGRATION_DATABASE_URL', { DATABASE_URL: one, SANDBOX_DATABASE_URL: two, MIGRATION_DATABASE_URL: one }],
    ['DATABASE_REPLICA_URL', { DATABASE_REPLICA_URL: one }],
    ['DATABASE_REPLICA_URL', { DATABASE_URL: one, SANDBOX_DATABASE_URL: two, DATABASE_REPLICA_URL: 'hidden' }],
    ['BACKUP_DIR', { BACKUP_DIR: 'backups', DATABASE_URL: one, SANDBOX_DATABASE_URL: two }],
    ['BACKUP_DIR', { BACKUP_DIR: 'var' }],
    ['BACKUP_DIR', { BACKUP_DIR: 'var/backups' }],
    ['BACKUP_DIR', { BACKUP_DIR: '/srv/data/../', DATA_DIR: '/srv/data' }],
    ['REVISION', { REVISION: 'the newest' }],
    ['REDIS_URL', { REDIS_URL: 'localhost:6379' }],
    ['REDIS_URL', { REDIS_URL: 'http://hidden@127.0.0.1:6379' }],
    ['REDIS_URL', { REDIS_URL: 'redis://127.0.0.1:99999' }],
    ['REDIS_URL', { REDIS_URL: 'redis://127.0.0.1/hidden' }],
    ['REDIS_URL', { REDIS_URL: 'redis://app:hidden%zz@127.0.0.1' }],
    ['REDIS_URL', { REDIS_URL: 'redis://' }],
    ['PUBLIC_BASE_URL', { PUBLIC_BASE_URL: 'api.example.com' }],
    ['PUBLIC_OPS_URL', { PUBLIC_OPS_URL: 'ftp://ops.example.com' }],
    ['PUBLIC_BASE_URL', { PUBLIC_BASE_URL: 'https:api.example.com' }],
    ['PUBLIC_MTLS_BASE_URL', { PUBLIC_MTLS_BASE_URL: 'https://app:hidden@api.example.com' }],
    ['PUBLIC_CONSOLE_URL', { PUBLIC_CONSOLE_URL: 'https://example.com/console?' }],
    ['TEMPLATE_VENDOR_URL', { TEMPLATE_VENDOR_URL: 'https://vendor.example.com/#templates' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres:hidden', SANDBOX_DATABASE_URL: two }],
    ['S3_ENDPOINT', { ...s3, S3_ENDPOINT: 'https://s3.example.com?hidden' }],
    ['S3_REGION', { ...s3, S3_REGION: 'eu central' }],
    ['S3_BUCKET', { ...s3, S3_BUCKET: '../files' }],
    ['ARTWORK_HOSTS', { ARTWORK_HOSTS: 'files.example.com, https://files.example.com' }],
    ['ARTWORK_HOSTS', { ARTWORK_HOSTS: '10.0.0.0/8' }],
    ['SIGN_IN_CLIENT_HOSTS', { SIGN_IN_CLIENT_HOSTS: '*.example.com' }],
    ['SANDBOX_WEBHOOK_HOSTS', { SANDBOX_WEBHOOK_HOSTS: 'localhost:8080' }],
    ['SECRET_KEY', { SECRET_KEY: 'hidden' }],
    ['SECRET_KEYS', { SECRET_KEYS: 'hidden' }],
    ['SECRET_KEYS', { SECRET_KEYS: ' , ' }],
    ['SECRET_KEYS', { SECRET_KEYS: `${'ab'.repeat(32)},${'AB'.repeat(32)}` }],
    ['SECRET_KEYS', { SECRET_KEYS: 'ab'.repeat(32), SECRET_KEY: 'cd'.repeat(32) }],
    ['DATA_DIR', { DATA_DIR: ' ' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.1, proxy' }],
  ]
  for (const host of ['127.0.0.1', 'localhost', 'Hook.Localhost', '127.9.9.9', '::1', '0.0.0.0', '::ffff:127.0.0.1'])
    wrong.push(['SANDBOX_WEBHOOK_HOSTS', { DEMO: 'off', SANDBOX_WEBHOOK_HOSTS: `hooks.example, ${host}` }])
  for (const [named, variables] of wrong) {
    const said = sentence(variables)
    assert.ok(said.startsWith(named), `${named}: ${said}`)
    assert.match(said, /\.$/)
    assert.ok(!said.includes('hidden'), said)
  }
})

test('hosts and public addresses are normalized to the form in which they are compared', () => {
  const { artworkHosts, publicUrls } = readSettings({
    ARTWORK_HOSTS: 'Files.Example.com, 127.0.0.1, 0::1,',
    PUBLIC_BASE_URL: 'https://API.example.com:443/partner/',
  })
  assert.deepEqual(artworkHosts, ['files.example.com', '127.0.0.1', '::1'])
  assert.equal(publicUrls.api, 'https://api.example.com/partner')
})

test('accounts at companies are read per environment, and no sentence repeats a key', () => {
  const { easyPost, stripe } = readSettings({
    EASYPOST_API_KEY: 'EZAK-hidden',
    SANDBOX_STRIPE_API_KEY: 'sk_test_hidden',
  })
  assert.deepEqual(easyPost, {
    url: 'https://api.easypost.com/v2',
    keys: { PRODUCTION: 'EZAK-hidden', SANDBOX: undefined },
  })
  assert.deepEqual(stripe!.keys, { PRODUCTION: undefined, SANDBOX: 'sk_test_hidden' })
  assert.equal(readSettings({}).easyPost, undefined)
  const refused = sentence({ EASYPOST_API_KEY: 'hidden key' })
  assert.match(refused, /^EASYPOST_API_KEY must be a key/)
  assert.ok(!refused.includes('hidden'))
})
