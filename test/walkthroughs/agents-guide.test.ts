import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { toolsets } from '../../src/contract/toolsets.ts'
import { mcpClient } from '../world/mcp.ts'
import { partner } from '../world/partner.ts'
import { testService } from '../world/service.ts'

const service = await testService()
const sandbox = await partner(service, 'sandbox')
const guide = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8')

/** The cells of the table under a heading, without its head. */
function tableUnder(heading: string): string[][] {
  const chapter = guide.slice(guide.indexOf(`## ${heading}\n`)).split('\n## ')[0]!
  const rows = chapter.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(2).map((row) => row.slice(2, -2).split(' | '))
}

test('the commands of docs/agents.md work as pasted', async () => {
  const scripts = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script]) => script!)
  assert.equal(scripts.length, 1)
  const script = scripts[0]!.replaceAll('https://sandbox.partner-commerce.example', sandbox.baseUrl)
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    env: { ...process.env, TOKEN: sandbox.token },
    maxBuffer: 10_000_000,
  })
  const [me, tools, prompt, resources] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as any)
  assert.equal(me.result.structuredContent.environment, 'SANDBOX')
  const names = tools.result.tools.map(({ name }: { name: string }) => name)
  assert.ok(names.includes('get_order') && names.includes('get_product') && !names.includes('submit_order'))
  assert.match(prompt.result.messages[0].content.text, /^Which proofs wait/)
  assert.ok(resources.result.resources.length > 0)
})

test('the address in docs/agents.md is one that a client connects to', async () => {
  const { mcpServers } = JSON.parse(/```json\n([\s\S]*?)```/.exec(guide)![1]!) as any
  assert.equal(mcpServers['partner-commerce'].url, 'https://sandbox.partner-commerce.example/v1/mcp')
  const [narrowed] = /\/v1\/mcp\?toolsets=\S+readonly/.exec(guide)!
  const client = await mcpClient(sandbox, 'auto', { query: narrowed.slice('/v1/mcp'.length) })
  assert.ok((await client.listTools()).tools.every(({ annotations }) => annotations?.readOnlyHint))
  await client.close()
})

test('the tables of docs/agents.md list the toolsets, prompts and resources that there are', async () => {
  assert.deepEqual(
    tableUnder('Offer an agent less'),
    Object.entries(toolsets).map(([name, holds]) => [`\`${name}\``, holds]),
  )
  const client = await mcpClient(sandbox)
  const { prompts } = await client.listPrompts()
  assert.deepEqual(
    tableUnder('Prompts'),
    prompts.map(({ name, description, arguments: args }) => [
      `\`${name}\``,
      args!.map((each) => `\`${each.name}\`${each.required ? '' : ' (optional)'}`).join(', '),
      description,
    ]),
  )
  const { resourceTemplates } = await client.listResourceTemplates()
  assert.deepEqual(
    tableUnder('Resources'),
    resourceTemplates.map(({ uriTemplate, description }) => [`\`${uriTemplate}\``, description]),
  )
  await client.close()
})
