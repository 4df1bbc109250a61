import { JsonRefused, readJson } from '../../vocabulary/json.ts'
import { Outage } from '../../vocabulary/outage.ts'
import type { Egress, EgressAnswer } from '../egress/guarded-request.ts'
import type { TemplateDocument, TemplateVariable, TemplateVendor } from './template-vendor.ts'

/** The vendor's HTTP service: `GET {url}/documents/{id}` answers a document as JSON, or 404 when there is none. */

const timeoutMilliseconds = 3_000
const responseBytesMax = 1_048_576

/** Asks the vendor every time: what a buyer is asked for must be what the vendor will print (CAT-23). */
export function httpTemplateVendor(egress: Pick<Egress, 'request'>, url: string): TemplateVendor {
  return {
    async document(templateId) {
      // These cannot be a path segment: URLs resolve them as relative steps.
      if (templateId === '.' || templateId === '..') return undefined
      const answer = await ask(egress, `${url}/documents/${encodeURIComponent(templateId)}`)
      if (answer.status === 404) return undefined
      if (answer.status !== 200) throw new Outage(`the template vendor answered ${answer.status}`)
      return documentOf(answer.body)
    },
  }
}

async function ask(egress: Pick<Egress, 'request'>, target: string): Promise<EgressAnswer> {
  try {
    return await egress.request(target, {
      headers: { Accept: 'application/json' },
      timeoutMilliseconds,
      responseBytesMax,
    })
  } catch (error) {
    throw new Outage('the template vendor cannot be asked', error)
  }
}

function documentOf(body: Buffer): TemplateDocument {
  let document: unknown
  try {
    document = readJson(body)
  } catch (error) {
    if (error instanceof JsonRefused) throw notUnderstood(error)
    throw error
  }
  const variables = isRecord(document) ? document.variables : undefined
  if (!Array.isArray(variables)) throw notUnderstood()
  return { variables: variables.map(variableOf) }
}

/** A missing key means the same as null, an empty list the same as no list, and a variable is required only if it says so. */
function variableOf(variable: unknown): TemplateVariable {
  if (!isRecord(variable)) throw notUnderstood()
  const { name, displayName = null, dataType = null, required = null, listItems = null } = variable
  if (typeof name !== 'string' || name === '') throw notUnderstood()
  if (!isTextOrNull(displayName) || !isTextOrNull(dataType)) throw notUnderstood()
  if (required !== null && typeof required !== 'boolean') throw notUnderstood()
  if (listItems !== null && !isTextList(listItems)) throw notUnderstood()
  return { name, displayName, dataType, required: required ?? false, listItems: listItems?.length ? listItems : null }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** An outage, since a vendor whose answers are wrong today may be right again tomorrow. */
function notUnderstood(cause?: unknown): Outage {
  return new Outage('the template vendor answered what is no document', cause)
}
