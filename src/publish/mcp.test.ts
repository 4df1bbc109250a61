import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { methodOf, pathParameterNames, type Operation } from '../contract/operation.ts'
import { api, toolApi } from '../resources/api.ts'
import { isOfferedToAgents, publishTool, publishTools, toolName } from './mcp.ts'
import type { JsonObject } from './schemas.ts'

const entries: Operation[] = [...Object.values(api), ...Object.values(toolApi)]
const offered = entries.filter(isOfferedToAgents)
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
addFormats.default(ajv)

test('MCP-01 every operation is a tool with its name in snake case, except liveness and lists that another contains', () => {
  assert.equal(toolName('approveProof'), 'approve_proof')
  assert.deepEqual(
    entries.filter((entry) => !isOfferedToAgents(entry)).map(({ id }) => id),
    ['ping', 'listSiteProducts', 'listSiteUsers', 'listSiteCreditAccounts'],
  )
  for (const [part, whole] of [
    [api.listSiteProducts, api.listProducts],
    [api.listSiteUsers, api.listUsers],
    [api.listSiteCreditAccounts, api.listCreditAccounts],
  ] as const) {
    const names = new Set(Object.keys(whole.query))
    for (const name of ['siteId', ...Object.keys(part.query)]) assert.ok(names.has(name), `${whole.id} has no ${name}`)
  }
  const tools = publishTools(offered)
  for (const { name, description } of tools) {
    assert.match(name, /^[a-z]+(_[a-z]+)+$/)
    assert.ok(description.endsWith('.'), name)
  }
  assert.equal(new Set(tools.map(({ name }) => name)).size, offered.length)
})

test('every input says what it means, however deep', () => {
  function assertDescribed(schema: JsonObject, place: string): void {
    for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, JsonObject>)) {
      assert.ok(typeof field.description === 'string' && field.description !== '', `${place}.${name}`)
      assertDescribed(field, `${place}.${name}`)
      if (field.items) assertDescribed(field.items as JsonObject, `${place}.${name}[]`)
    }
  }
  for (const { name, inputSchema } of publishTools(offered)) assertDescribed(inputSchema, name)
})

test('a record that several tools answer is described by the first of them', () => {
  const byName = new Map(publishTools(offered).map((tool) => [tool.name, tool]))
  assert.ok('submissionId' in (byName.get('submit_order')!.outputSchema.properties as object))
  assert.equal(byName.get('get_submission')!.outputSchema.description, 'as submit_order answers')
})

test('an object that has fields of an earlier one is told by the name of that one', () => {
  const { billTo, lines } = publishTool(api.submitOrder).inputSchema.properties as Record<string, JsonObject>
  assert.equal(billTo!.description, 'who is billed; it has the fields of shipTo, but not email')
  const { shipTo } = (lines!.items as JsonObject).properties as Record<string, JsonObject>
  assert.equal(shipTo!.description, 'where it goes; it has the fields of billTo')
})

test('an argument that an earlier tool of the list takes is told by the name of that tool', () => {
  const of = (tools: readonly Operation[]) =>
    publishTools(tools).find(({ name }) => name === 'quote_order')!.inputSchema.properties as Record<string, JsonObject>
  const after = of([api.submitOrder, api.quoteOrder])
  assert.deepEqual(after.shipTo, { type: 'object', description: 'as submit_order takes it' })
  assert.deepEqual(after.lines, { type: 'array', description: 'as submit_order takes it' })
  assert.ok((of([api.quoteOrder]).shipTo as JsonObject).properties)
})

test('the tools that cost money say so, and are marked so that a client asks its person', () => {
  for (const entry of [api.submitOrder, api.approveProof]) {
    const { description, annotations } = publishTool(entry)
    assert.match(description, /This costs money/)
    assert.equal(annotations.destructiveHint, true)
  }
})

test('no operation uses one name in two of path, query and body, so that a tool can take them as one flat object', () => {
  for (const entry of entries) {
    const names = [
      ...pathParameterNames(entry),
      ...Object.keys(entry.query ?? {}),
      ...Object.keys((entry.body?.schema as { properties?: object } | undefined)?.properties ?? {}),
    ]
    assert.equal(new Set(names).size, names.length, `${entry.id}: ${names.join(', ')}`)
  }
})

test('a body that is offered as arguments is an object, and the schema names its keys', () => {
  for (const { id, body } of offered) {
    if (!body) continue
    const { type, additionalProperties } = body.schema as { type?: string; additionalProperties?: boolean }
    assert.deepEqual([type, additionalProperties], ['object', false], id)
  }
})

test('every schema of a tool is self-contained and uses only keywords of JSON Schema', () => {
  for (const entry of offered) {
    const { inputSchema, outputSchema, name } = publishTool(entry)
    for (const schema of [inputSchema, outputSchema]) {
      assert.equal(schema.type, 'object')
      assert.doesNotMatch(JSON.stringify(schema), /"\$(ref|id)"/, name)
      ajv.compile(schema)
    }
  }
})

test('the input of a tool accepts the ids of the path together with the example body, and nothing unknown', () => {
  for (const entry of offered) {
    const { inputSchema, name } = publishTool(entry)
    const properties = inputSchema.properties as Record<string, JsonObject>
    const ids = pathParameterNames(entry).map((id) => [id, properties[id]!.type === 'string' ? sampleText(id) : 7])
    const args: JsonObject = { ...Object.fromEntries(ids), ...entry.body?.example }
    const validate = ajv.compile(inputSchema)
    assert.ok(validate(args), `${name}: ${ajv.errorsText(validate.errors)}`)
    assert.ok(!validate({ ...args, surprise: 1 }), name)
    for (const [id] of ids)
      assert.ok(
        !validate(Object.fromEntries(Object.entries(args).filter(([key]) => key !== id))),
        `${name} without ${id}`,
      )
  }
})

function sampleText(name: string): string {
  return name === 'productId' ? 'SLO_7' : '00000000-0000-4000-8000-000000000000'
}

test('a change needs at least one field besides the id', () => {
  const validate = ajv.compile(publishTool(api.updateUser).inputSchema)
  assert.ok(!validate({ userId: 7 }))
  assert.ok(validate({ userId: 7, phone: null }))
})

test('lists have pages of 10 by default, and of at most 25', () => {
  for (const entry of offered) {
    const limit = (publishTool(entry).inputSchema.properties as Record<string, JsonObject>).limit
    if (entry.query?.limit) assert.deepEqual([limit?.default, limit?.maximum], [10, 25], entry.id)
    else assert.equal(limit, undefined, entry.id)
  }
})

test('hints mark reads, changes that may be repeated, changes that overwrite, and what reaches other hosts', () => {
  const hints = (entry: Operation) => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = publishTool(entry).annotations
    return [readOnlyHint, destructiveHint, idempotentHint, openWorldHint]
  }
  // The protocol gives the hints in between no meaning on a tool that only reads.
  for (const entry of offered.filter((each) => methodOf(each) === 'GET')) {
    assert.deepEqual(hints(entry), [true, undefined, undefined, false], entry.id)
  }
  assert.deepEqual(hints(api.quoteShipping), [true, undefined, undefined, false])
  assert.deepEqual(hints(api.submitOrder), [false, true, true, false])
  assert.deepEqual(hints(api.createUser), [false, false, undefined, false])
  assert.deepEqual(hints(api.updateDivision), [false, true, true, false])
  assert.deepEqual(hints(toolApi.attachArtworkFromUrl), [false, false, undefined, true])
})

test('SUB-10 the tool that submits orders tells an agent how to retry without ordering twice', () => {
  const { description } = publishTool(api.submitOrder)
  assert.match(description, /Choose partnerOrderId once per purchase/)
  assert.match(description, /SAME partnerOrderId with the SAME body/)
})

test('the output of a tool has the types of its body, and lets the problem of a failed call pass', () => {
  const { outputSchema } = publishTool(api.submitOrder)
  const validate = ajv.compile(outputSchema)
  const problem = { type: 'about:blank', title: 'Not Found', status: 404, code: 'any', detail: 'd', requestId: 'r' }
  assert.ok(!validate({ siteId: 'seven' }))
  assert.ok(validate({ siteId: 7, errors: [] }))
  for (const tool of publishTools(offered)) assert.ok(ajv.validate(tool.outputSchema, problem), tool.name)
})
