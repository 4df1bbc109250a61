import { isJsonObject } from '../../vocabulary/json.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { companyNamed } from '../company.ts'
import type { Egress, EgressAnswer } from '../egress/guarded-request.ts'
import {
  valueProblemKinds,
  type TemplateDocument,
  type TemplateValues,
  type TemplateVariable,
  type TemplateVendor,
  type ValueProblem,
} from './template-vendor.ts'

/**
 * The vendor's HTTP service (docs/operations.md):
 *
 * - `GET {url}/documents/{id}`: the document
 * - `POST {url}/documents/{id}/checks`: the problems of the values in the body
 * - `POST {url}/documents/{id}/renderings`: the PDF with these values, or 422 and their problems
 *
 * 404 means that there is no such document, or that the vendor does not check or render.
 */

const { request, objectIn, notUnderstood } = companyNamed('the template vendor')

const answerMilliseconds = 3_000
/** Checks and PDFs take longer: the vendor may have others to set and draw first. */
const drawingMilliseconds = 15_000
const answerBytesMax = 1_048_576
const renderingBytesMax = 33_554_432

/** Asks the vendor every time: what a buyer is asked for must be what the vendor will print (CAT-23). */
export function httpTemplateVendor(egress: Pick<Egress, 'request'>, url: string): TemplateVendor {
  /** undefined = 404. @throws Outage when it is neither that nor one of `statuses` */
  async function ask(
    templateId: string,
    what: Question,
    statuses: readonly number[],
  ): Promise<EgressAnswer | undefined> {
    // These cannot be a path segment: URLs resolve them as relative steps.
    if (templateId === '.' || templateId === '..') return undefined
    const { path = '', values, accept = 'application/json', ...bounds } = what
    const answer = await request(egress, `${url}/documents/${encodeURIComponent(templateId)}${path}`, {
      timeoutMilliseconds: answerMilliseconds,
      responseBytesMax: answerBytesMax,
      ...bounds,
      ...(values
        ? {
            method: 'POST',
            headers: { Accept: accept, 'Content-Type': 'application/json' },
            body: Buffer.from(JSON.stringify({ variables: values })),
          }
        : { headers: { Accept: accept } }),
    })
    if (answer.status === 404) return undefined
    if (!statuses.includes(answer.status)) throw new Outage(`the template vendor answered ${answer.status}`)
    return answer
  }

  return {
    async document(templateId) {
      const answer = await ask(templateId, {}, [200])
      return answer && documentOf(answer.body)
    },

    async check(templateId, values) {
      const answer = await ask(templateId, { path: '/checks', values, timeoutMilliseconds: drawingMilliseconds }, [200])
      return answer ? problemsOf(answer.body) : []
    },

    async render(templateId, values) {
      const asked = {
        path: '/renderings',
        values,
        accept: 'application/pdf, application/json',
        timeoutMilliseconds: drawingMilliseconds,
        responseBytesMax: renderingBytesMax,
      }
      const answer = await ask(templateId, asked, [200, 422])
      if (!answer) return undefined
      if (answer.status === 200) return { pdf: pdfOf(answer) }
      const problems = problemsOf(answer.body)
      if (problems.length === 0) throw notUnderstood()
      return { problems }
    },
  }
}

type Question = {
  path?: string
  values?: TemplateValues
  accept?: string
  timeoutMilliseconds?: number
  responseBytesMax?: number
}

/** Looked at no further: the file is inspected like every other print file. */
function pdfOf({ headers, body }: EgressAnswer): Buffer {
  const type = headers['content-type']?.split(';')[0]!.trim().toLowerCase()
  if (type !== 'application/pdf' || body.toString('latin1', 0, 5) !== '%PDF-') throw notUnderstood()
  return body
}

function documentOf(body: Buffer): TemplateDocument {
  return { variables: listIn(body, 'variables').map(variableOf) }
}

function problemsOf(body: Buffer): ValueProblem[] {
  return listIn(body, 'problems').map(problemOf)
}

/** The list under this key of a JSON object. */
function listIn(body: Buffer, key: string): unknown[] {
  const list = objectIn(body)[key]
  if (!Array.isArray(list)) throw notUnderstood()
  return list
}

/** A missing key means the same as null, an empty list the same as no list, and a variable is required only if it says so. */
function variableOf(variable: unknown): TemplateVariable {
  if (!isJsonObject(variable)) throw notUnderstood()
  const { name, displayName = null, dataType = null, required = null, listItems = null } = variable
  if (typeof name !== 'string' || name === '') throw notUnderstood()
  if (!isTextOrNull(displayName) || !isTextOrNull(dataType)) throw notUnderstood()
  if (required !== null && typeof required !== 'boolean') throw notUnderstood()
  if (listItems !== null && !isTextList(listItems)) throw notUnderstood()
  return { name, displayName, dataType, required: required ?? false, listItems: listItems?.length ? listItems : null }
}

/** A kind that the service does not know is a problem all the same: the vendor will not print the value. */
function problemOf(problem: unknown): ValueProblem {
  if (!isJsonObject(problem)) throw notUnderstood()
  const { variable, kind, lengthMax = null, characters = null } = problem
  if (typeof variable !== 'string' || variable === '' || typeof kind !== 'string') throw notUnderstood()
  if (lengthMax !== null && !(Number.isSafeInteger(lengthMax) && (lengthMax as number) > 0)) throw notUnderstood()
  if (!isTextOrNull(characters)) throw notUnderstood()
  return {
    variable,
    kind: valueProblemKinds.find((known) => known === kind) ?? 'unusable',
    lengthMax: lengthMax as number | null,
    characters: characters || null,
  }
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
