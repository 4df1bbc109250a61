import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import type { Caller } from '../src/contract/caller.ts'
import { record, text } from '../src/contract/fields.ts'
import { operation, type Operation } from '../src/contract/operation.ts'
import { createEdge } from '../src/gateway/edge/edge.ts'
import { createHost } from '../src/gateway/host.ts'
import type { PerformedOperation } from '../src/gateway/perform.ts'
import { mcpRoute } from '../src/mcp/route.ts'
import { api, toolsetOf } from '../src/resources/api.ts'
import { scopes } from '../src/vocabulary/scopes.ts'
import { noTracing } from '../src/vocabulary/tracing.ts'

/**
 * Tests the MCP endpoint with the protocol's own conformance suite, for both eras, and writes docs/mcp-conformance.md.
 * `--check` writes nothing and fails when the document differs from the findings. It needs no database and only
 * loopback. The host is the real one; its tools are those of the contract and a few that the suite expects. The suite
 * cannot send a credential, so here every request has the same caller.
 */
const revisions = ['2026-07-28', '2025-11-25'] as const

const otherPrompts = 'needs a prompt of the suite’s own'
const otherResources = 'needs a resource of the suite’s own'
const notWatched = 'resources are not watched, since there is no stream'
const otherQuestions = 'needs a tool of the suite’s own; a tool here only asks a person to confirm its call'
const noStream = 'earlier revisions ask the client over a stream, which is not offered'
const otherContent = 'tools answer JSON, as structure and as text, and no other content'
const noTasks = 'the extension for tasks is not offered: what takes long is a submission, read again by its id'
const noFixture = 'needs a tool of the suite’s own, with a schema no operation of the contract has'

/** `scenario`, or `scenario:check` when the rest of the scenario applies → why it does not apply to this endpoint */
const notApplicable: Readonly<Record<string, string>> = {
  'completion-complete': otherPrompts,
  'elicitation-sep1034-defaults': noStream,
  'elicitation-sep1330-enums': noStream,
  'http-custom-header-server-validation': 'no argument of a tool is repeated in a header',
  'input-required-result-basic-elicitation': otherQuestions,
  'input-required-result-basic-list-roots': otherQuestions,
  'input-required-result-basic-sampling': otherQuestions,
  'input-required-result-capability-check': otherQuestions,
  'input-required-result-multi-round': otherQuestions,
  'input-required-result-multiple-input-requests': otherQuestions,
  'input-required-result-non-tool-request': otherPrompts,
  'input-required-result-request-state': otherQuestions,
  'input-required-result-result-type': otherQuestions,
  'input-required-result-tampered-state': otherQuestions,
  'json-schema-2020-12': noFixture,
  'logging-set-level': 'the endpoint sends no log messages',
  'prompts-get-embedded-resource': otherPrompts,
  'prompts-get-simple': otherPrompts,
  'prompts-get-with-args': otherPrompts,
  'prompts-get-with-image': otherPrompts,
  'resources-read-binary': otherResources,
  'resources-read-text': otherResources,
  'resources-subscribe': notWatched,
  'resources-templates-read': otherResources,
  'resources-unsubscribe': notWatched,
  'server-stateless:sep-2575-missing-capability-http-400': 'no tool needs a capability of the client',
  'server-stateless:sep-2575-server-rejects-undeclared-capability': 'no tool needs a capability of the client',
  'tasks-capability-negotiation': noTasks,
  'tasks-dispatch-and-envelope': noTasks,
  'tasks-lifecycle': noTasks,
  'tasks-mrtr-composition': noTasks,
  'tasks-mrtr-input': noTasks,
  'tasks-request-headers': noTasks,
  'tasks-request-state-removal': noTasks,
  'tasks-required-task-error': noTasks,
  'tasks-wire-fields': noTasks,
  'tools-call-audio': otherContent,
  'tools-call-elicitation': noStream,
  'tools-call-embedded-resource': otherContent,
  'tools-call-image': otherContent,
  'tools-call-mixed-content': otherContent,
  'tools-call-sampling': noStream,
  'tools-call-with-logging': 'the endpoint sends no log messages',
  'tools-call-with-progress': 'an answer is one JSON document, without progress before it',
}

type Check = { id: string; status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'; errorMessage?: string }
type Outcome = { scenario: string; passed: number; failed: Check[]; excused: string[] }

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const file = new URL('../docs/mcp-conformance.md', import.meta.url)

const host = testHost()
const outcomes = new Map<string, Outcome[]>()
try {
  const url = `http://127.0.0.1:${await host.listen('127.0.0.1', 0)}/v1/mcp`
  for (const revision of revisions) outcomes.set(revision, await judged(url, revision))
} finally {
  await host.close()
}
const problems = [...outcomes].flatMap(([revision, each]) =>
  each.flatMap(({ scenario, failed }) =>
    failed.map(({ id, errorMessage }) => `${revision} ${scenario}:${id} ${errorMessage ?? ''}`),
  ),
)
const excused = new Set([...outcomes.values()].flat().flatMap((each) => each.excused))
problems.push(
  ...Object.keys(notApplicable)
    .filter((name) => !excused.has(name))
    .map((name) => `${name} is listed as not applicable, but passes`),
)
const written = document()
if (!values.check) await writeFile(file, written)
else if ((await readFile(file, 'utf8').catch(() => '')) !== written) {
  problems.push('docs/mcp-conformance.md is out of date: run bin/mcp-conformance.ts')
}
process.stdout.write(`${[...outcomes].map(([revision, each]) => `${revision}: ${summary(each)}`).join('\n')}\n`)
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1

function testHost(): ReturnType<typeof createHost> {
  const log = pino({ level: 'silent' })
  const caller: Caller = {
    partnerId: '00000000-0000-4000-8000-000000000000',
    partnerName: 'Conformance',
    environment: 'SANDBOX',
    authMethod: 'IDP_M2M',
    tier: 'ENTERPRISE',
    siteIds: [1],
    scopes: new Set(scopes),
    clientId: null,
    tokenExpiresOn: null,
    certificate: null,
    user: null,
  }
  const allowed = { allowed: true, retryAfterSeconds: 0, headers: {} }
  return createHost({
    identify: async () => caller,
    allowsOpen: true,
    streamPulseMilliseconds: 15_000,
    ownUrl: () => 'http://127.0.0.1',
    challenge: () => 'Bearer',
    sourceAddress: () => '127.0.0.1',
    edge: createEdge({ limits: 'off', monotonic: () => performance.now() }),
    throttle: { spend: () => allowed },
    closingGraceMilliseconds: 0,
    operations: [],
    callerRoutes: [
      mcpRoute(operations(), {
        toolsetOf,
        confirmationKeys: [randomBytes(32)],
        hostUrls: () => ['http://127.0.0.1'],
        log,
      }),
    ],
    clock: () => new Date(),
    log,
    tracing: noTracing,
    observe: () => undefined,
  })
}

/** The operations of the contract, which the suite lists, and the suite's own, which it calls. */
function operations(): PerformedOperation[] {
  const Said = record('Said', { text })
  const named = (id: string): Operation =>
    operation({ id, at: 'GET /v1/test', scope: null, answers: { 200: Said }, refuses: [], says: 'Is asked for.' })
  const check = async (): Promise<void> => undefined
  const saying = (id: string): PerformedOperation => ({
    entry: named(id),
    perform: async () => ({ status: 200, body: { text: 'This is a simple text response for testing.' } }),
    check,
  })
  const failing = (entry: Operation): PerformedOperation => ({
    entry,
    perform: () => Promise.reject(new Error('This tool intentionally returns an error for testing')),
    check,
  })
  // Lists have no records, and so has the list of resources.
  const empty = (entry: Operation): PerformedOperation => ({
    entry,
    perform: async () => ({ status: 200, body: { [entry.collection!]: [], nextCursor: null } }),
    check,
  })
  return [
    ...Object.values(api).map((entry: Operation) => (entry.collection === undefined ? failing : empty)(entry)),
    saying('testSimpleText'),
    saying('testLoggingTool'),
    saying('testStreamingElicitation'),
    failing(named('testErrorHandling')),
  ]
}

/** Runs the suite's scenarios for a revision. */
async function judged(url: string, revision: string): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'partner-commerce-mcp-'))
  try {
    const script = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))
    const args = [script, 'server', '--url', url, '--requirements', revision, '-o', folder]
    const said = await outputOf(args)
    const found = readdirSync(folder).map((name) => {
      const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)![1]!
      return outcome(scenario, JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[])
    })
    if (found.length === 0) throw new Error(`the suite ran no scenario: ${said}`)
    return found.toSorted((a, b) => (a.scenario < b.scenario ? -1 : 1))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The output of the process; its exit code also counts scenarios that do not apply. */
function outputOf(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })
}

function outcome(scenario: string, checks: readonly Check[]): Outcome {
  const failing = checks.filter(({ status }) => status === 'FAILURE')
  const excuseOf = ({ id }: Check): string | undefined =>
    [scenario, `${scenario}:${id}`].find((name) => Object.hasOwn(notApplicable, name))
  return {
    scenario,
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    failed: failing.filter((check) => excuseOf(check) === undefined),
    excused: [...new Set(failing.map(excuseOf).filter((name) => name !== undefined))],
  }
}

/** Scenarios that apply, at least in part. */
function applying(each: readonly Outcome[]): Outcome[] {
  return each.filter(({ scenario, passed }) => !Object.hasOwn(notApplicable, scenario) && passed > 0)
}

function summary(each: readonly Outcome[]): string {
  const applied = applying(each)
  const passed = applied.reduce((sum, { passed: count }) => sum + count, 0)
  const failed = applied.reduce((sum, { failed: checks }) => sum + checks.length, 0)
  return `${applied.length} of ${each.length} scenarios apply; ${passed} of their checks pass, ${failed} fail`
}

function document(): string {
  const lines = [
    '# MCP conformance',
    '',
    'What `@modelcontextprotocol/conformance` finds when it plays the scenarios a protocol revision requires of a server',
    'against `POST /v1/mcp`. Written by `node bin/mcp-conformance.ts`, which fails when a check that applies fails, and when',
    'one that is listed here as not applicable would pass.',
  ]
  for (const [revision, each] of outcomes) {
    lines.push('', `## Revision ${revision}`, '', `${summary(each)}.`, '', '| scenario | checks passed |', '|---|---|')
    for (const { scenario, passed } of applying(each)) lines.push(`| ${scenario} | ${passed} |`)
    const none = each.filter(({ passed, excused: names }) => passed === 0 && names.length === 0)
    for (const { scenario } of none)
      lines.push(`| ${scenario} | skipped by the suite: sessions, streams or tasks, which are not offered |`)
  }
  lines.push('', '## Not applicable', '', '| scenario or check | why |', '|---|---|')
  for (const [name, why] of Object.entries(notApplicable)) lines.push(`| ${name} | ${why} |`)
  return `${lines.join('\n')}\n`
}
