import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { chooseFreePort } from '../../src/database/embedded/postmaster.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner } from '../world/partner.ts'
import { placed } from '../world/production.ts'
import { startReceiver } from '../world/receiver.ts'
import { newBrowser } from '../world/sign-in.ts'
import { startTestService, type TestService } from '../world/service.ts'
import { endpointAt, until } from '../world/webhooks.ts'

/** The files in `deploy/` for Prometheus and Grafana, against a real Prometheus that reads a real service. */

const root = join(import.meta.dirname, '..', '..')
const rules = join(root, 'deploy', 'prometheus')
const dashboards = join(root, 'deploy', 'grafana')
const program = '/usr/bin/prometheus'
const skip = !process.env.REQUIRE_SERVICES && !existsSync(program) && `${program} is not there`

type Dashboard = { title: string; panels: { title: string; targets?: { expr: string }[] }[] }
type Rule = { name: string; query: string; labels: Record<string, string>; annotations: Record<string, string> }

test('promtool finds every alert firing where it must, and silent where it must not', { skip }, async () => {
  const promtool = (...words: string[]) => promisify(execFile)('/usr/bin/promtool', words, { cwd: rules })
  await promtool('check', 'config', 'prometheus.yml')
  await promtool('test', 'rules', 'alerts.test.yml')
  const named = (file: string, pattern: RegExp) =>
    [...readFileSync(join(rules, file), 'utf8').matchAll(pattern)].map(([, name]) => name!)
  const alerts = named('alerts.yml', /- alert: (\w+)/g)
  assert.ok(alerts.length > 10)
  for (const kind of ['fires', 'is silent'])
    assert.deepEqual(named('alerts.test.yml', new RegExp(`- name: (\\w+) ${kind}$`, 'gm')), alerts, kind)
})

test(
  'a Prometheus that reads the service has a series for every query of the dashboards, and every alert has its section',
  { skip, timeout: 240_000 },
  async (t) => {
    const service = await startTestService()
    t.after(service.close)
    await work(t, service)
    const ask = await startPrometheus(t, new URL(service.hosts.opsUrl).host)

    const queries = readdirSync(dashboards).flatMap((file) => {
      const { title, panels } = JSON.parse(readFileSync(join(dashboards, file), 'utf8')) as Dashboard
      return panels.flatMap((panel) =>
        (panel.targets ?? []).map(({ expr }) => ({ of: `${title}: ${panel.title}`, expr })),
      )
    })
    assert.ok(queries.length > 20)
    const series = async (query: string): Promise<{ value: [number, string] }[]> =>
      (await ask(`query?query=${encodeURIComponent(query)}`)).result
    const primary = await partner(service, 'primary')
    // Rates need answers between two readings.
    await until(async () => {
      await primary.get('/v1/me')
      return (await series('rate(partner_commerce_answers_total{operation="getMe"}[1m]) > 0')).length > 0
    })
    for (const { of, expr } of queries) {
      const query = expr.replaceAll('$__rate_interval', '1m')
      await primary.get('/v1/me')
      const found = await series(query)
      assert.ok(found.length > 0, `${of}: ${query}`)
      assert.ok(
        found.some(({ value: [, value] }) => value !== 'NaN'),
        `${of} is no number: ${query}`,
      )
    }

    const alerts: Rule[] = (await ask('rules')).groups.flatMap(({ rules: each }: { rules: Rule[] }) => each)
    const runbook = readFileSync(join(root, 'docs', 'runbook.md'), 'utf8')
    const anchors = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title]) => title!.toLowerCase().replaceAll(' ', '-'))
    const linked = alerts.map(({ name, annotations, labels }): string => {
      assert.ok(annotations.summary, name)
      assert.match(labels.severity ?? '', /^(?:page|ticket)$/, name)
      const anchor = /^docs\/runbook\.md#(.+)$/.exec(annotations.runbook ?? '')?.[1]
      assert.ok(anchor !== undefined && anchors.includes(anchor), `${name}: ${annotations.runbook}`)
      return anchor
    })
    assert.deepEqual(linked.toSorted(), anchors.toSorted())
    // Every metric that an alert reads exists, so that none is silent because of a name.
    const known = new Set((await ask('label/__name__/values')) as string[])
    for (const { name, query } of alerts)
      for (const [metric] of query.matchAll(/\b(?:partner_commerce|nodejs|process)_\w+/g))
        // Backups are those of the embedded database, whose own test reads it.
        if (metric !== 'partner_commerce_backup_start_timestamp_seconds')
          assert.ok(known.has(metric), `${name} reads ${metric}`)
    const firing = ((await ask('alerts')).alerts as { state: string; labels: Record<string, string> }[]).filter(
      ({ state }) => state === 'firing',
    )
    assert.deepEqual(firing, [])
  },
)

/** Something of everything that the dashboards show: calls, an order, a webhook, a mail. */
async function work(t: TestContext, service: TestService): Promise<void> {
  const { manifest, hosts, production } = service
  const receiver = await startReceiver(t, (response) => response.end())
  await endpointAt(production.database, manifest.partners.primary!.partnerId, receiver.url)
  const primary = await partner(service, 'primary')
  await placed(primary, orderBuilder(manifest).order())
  await receiver.arrival(1)
  for (const path of ['/v1/me', '/v1/products', '/v1/orders', '/v1/nothing']) await primary.get(path)
  const { username } = manifest.partners.primary!.signIn!
  await newBrowser(hosts.baseUrl).open(`${hosts.baseUrl}/oauth2/forgotten-password`, { form: { username } })
  await until(async () =>
    /^partner_commerce_mails_total\{.*\} [1-9]/m.test(await (await fetch(`${hosts.opsUrl}/metrics`)).text()),
  )
}

/** A Prometheus on the files of `deploy/prometheus/`, which reads this host every second. Answers how to ask its API. */
async function startPrometheus(t: TestContext, target: string) {
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-prometheus-'))
  await cp(rules, folder, { recursive: true })
  const example = readFileSync(join(rules, 'prometheus.yml'), 'utf8')
  assert.ok(example.includes("'127.0.0.1:9090'") && example.includes(': 15s'))
  await writeFile(
    join(folder, 'prometheus.yml'),
    example.replace("'127.0.0.1:9090'", `'${target}'`).replaceAll(': 15s', ': 1s'),
  )
  const address = `127.0.0.1:${await chooseFreePort()}`
  const child = spawn(
    program,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  )
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  await until(async () => (await fetch(`http://${address}/-/ready`).catch(() => undefined))?.status === 200)
  return async (path: string): Promise<any> => // eslint-disable-line typescript/no-explicit-any
    {
      const answer = await fetch(`http://${address}/api/v1/${path}`)
      const { status, data, error } = (await answer.json()) as { status: string; data: unknown; error?: string }
      assert.equal(status, 'success', String(error))
      return data
    }
}
