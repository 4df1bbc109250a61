import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'

/**
 * An agent without a model, which knows only what the endpoint tells it. It chooses a tool, a prompt or a resource
 * template by the words of its name and description, and fills in arguments by the names and types of their schemas:
 * required ones from what it was told or has read, optional ones only from what it was told. It has no ids but those
 * that it read.
 */
export type Agent = {
  /** what it has read last, by the name of the field */
  known: Map<string, unknown>
  /** the tools that it called, in order */
  called: string[]
  /** reads a record, so that its fields are known from now on */
  learn: (record: object) => void
  /** calls the tool that does this; fails if the call does. @param told values by the name of the argument */
  does: (task: string, told?: Told) => Promise<any> // eslint-disable-line typescript/no-explicit-any
  /** begins the prompt for this; answers the records that its messages hold */
  begins: (task: string, told?: Told) => Promise<any[]> // eslint-disable-line typescript/no-explicit-any
  /** reads the resource that is this, and answers its bytes */
  looksAt: (what: string) => Promise<Buffer>
}

type Told = Readonly<Record<string, unknown>>
type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}
type Named = { name: string; title?: string | undefined; description?: string | undefined }

export async function newAgent(client: Client): Promise<Agent> {
  const [{ tools }, { prompts }, { resourceTemplates }] = await Promise.all([
    client.listTools(),
    client.listPrompts(),
    client.listResourceTemplates(),
  ])
  const known = new Map<string, unknown>()
  const called: string[] = []

  function learn(record: object): void {
    for (const [name, value] of Object.entries(record)) {
      if (value === null || typeof value !== 'object') known.set(name, value)
    }
  }

  /** undefined = a required value is not known */
  function filled(schema: Schema, told: Told, name = ''): unknown {
    if (schema.properties) {
      const isTop = name === ''
      const values = Object.entries(schema.properties).map(([key, field]): [string, unknown] => {
        const isRequired = schema.required?.includes(key) === true
        if (key in told) return [key, told[key]]
        if (!isRequired && !(field.properties && Object.keys(field.properties).some((each) => each in told)))
          return [key, undefined]
        return [key, field.properties || field.items ? filled(field, told, key) : known.get(key)]
      })
      const lacking = values.filter(([key, value]) => value === undefined && schema.required?.includes(key))
      if (lacking.length > 0 && isTop) assert.fail(`not known: ${lacking.map(([key]) => key).join(', ')}`)
      return lacking.length > 0 ? undefined : Object.fromEntries(values.filter(([, value]) => value !== undefined))
    }
    if (schema.items) {
      const item = filled(schema.items, told, name)
      return item === undefined ? undefined : [item]
    }
    return known.get(name)
  }

  return {
    known,
    called,
    learn,
    does: async (task, told = {}) => {
      const tool = bestOf(tools, task)
      called.push(tool.name)
      const args = filled(tool.inputSchema as Schema, told, '') as Record<string, unknown>
      const result = await client.callTool({ name: tool.name, arguments: args })
      assert.notEqual(result.isError, true, `${task} → ${tool.name}: ${JSON.stringify(result.content)}`)
      learn(result.structuredContent as object)
      return result.structuredContent
    },
    begins: async (task, told = {}) => {
      const prompt = bestOf(prompts, task)
      const wanted = (prompt.arguments ?? []).flatMap(({ name, required }) => {
        const value = told[name] ?? (required ? known.get(name) : undefined)
        return value === undefined ? [] : [[name, String(value)]]
      })
      const { messages } = await client.getPrompt({ name: prompt.name, arguments: Object.fromEntries(wanted) })
      return messages.flatMap(({ content }) => {
        const text = content.type === 'resource' ? (content.resource as { text: string }).text : (content as any).text
        return text.startsWith('{') ? [JSON.parse(text)] : []
      })
    },
    looksAt: async (what) => {
      const { uriTemplate } = bestOf(resourceTemplates, what)
      const uri = uriTemplate.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(known.get(name)))
      const { contents } = await client.readResource({ uri })
      return Buffer.from((contents[0] as { blob: string }).blob, 'base64')
    },
  }
}

/** The one whose words fit best: rare words count more than frequent ones, and words of a name double. */
function bestOf<Each extends Named>(offered: readonly Each[], task: string): Each {
  const about = offered.map((each) => ({
    each,
    name: wordsOf(each.name),
    says: wordsOf(`${each.title ?? ''} ${each.description ?? ''}`),
  }))
  const worth = (word: string): number => {
    const having = about.filter(({ name, says }) => name.has(word) || says.has(word)).length
    return having === 0 ? 0 : Math.log(1 + about.length / having)
  }
  const ranked = about
    .map(({ each, name, says }) => {
      const score = [...wordsOf(task)].reduce(
        (sum, word) => sum + worth(word) * (name.has(word) ? 2 : says.has(word) ? 1 : 0),
        0,
      )
      // Of two with the same words, the one that says less besides.
      return { each, score: score / (1 + Math.log(1 + name.size)) }
    })
    .toSorted((a, b) => b.score - a.score)
  assert.ok(ranked[0]!.score > (ranked[1]?.score ?? 0), `nothing fits best: ${task}`)
  return ranked[0]!.each
}

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  return new Set(words.filter((word) => word.length > 2).map((word) => word.replace(/(?<=..)(?:s|es|ing|ed)$/, '')))
}
