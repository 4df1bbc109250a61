import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { drawApart } from '../../documents/draw-apart.ts'
import type { OutputIntent } from '../../documents/page-writer.ts'
import { isJsonObject, readJson } from '../../vocabulary/json.ts'
import type { Design } from './design/design.ts'
import { designFaults } from './design/design-faults.ts'
import type { draw } from './design/draw-design.ts'
import type { TemplateValues } from './template-vendor.ts'

/** What the vendor draws, and what it draws with. */
export type VendorStock = {
  documents: ReadonlyMap<string, Design>
  /** reads a picture of the documents by its name, the first time that one is drawn */
  pictureOf: (name: string) => Promise<Uint8Array>
  /** the printing condition that the inks of the documents are meant for */
  outputIntent: OutputIntent
}

/**
 * A template vendor's service for development and demonstrations, over documents that never change. It speaks the
 * protocol that `http-vendor.ts` expects, so a trial with it also holds for a real vendor. It draws in the drawing
 * thread.
 *
 * @throws when a design is wrong
 */
export function createEmbeddedVendor({ documents, pictureOf, outputIntent }: VendorStock): Server {
  for (const [id, design] of documents) {
    const faults = designFaults(design)
    if (faults.length > 0) throw new Error(`the document ${id} is wrong: ${faults.join(' ')}`)
  }
  const pictures = new Map<string, Promise<Uint8Array>>()
  function readOnce(name: string): Promise<Uint8Array> {
    const read = pictures.getOrInsertComputed(name, () => pictureOf(name))
    read.catch(() => pictures.delete(name))
    return read
  }
  const inTurn = oneAfterAnother()
  return createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, async (request, response) => {
    try {
      await answer({ documents, pictureOf: readOnce, outputIntent, inTurn }, request, response)
    } catch {
      answerJson(response, 500, { error: 'the document cannot be drawn' })
    }
  })
}

async function answer(
  { documents, pictureOf, outputIntent, inTurn }: VendorStock & { inTurn: InTurn },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, id, drawing] = /^\/documents\/([^/?]+)(?:\/(checks|renderings))?$/.exec(request.url ?? '') ?? []
  const design = id === undefined ? undefined : documents.get(decoded(id))
  if (!design || request.method !== (drawing ? 'POST' : 'GET')) {
    return answerJson(response, 404, { error: 'no such document' })
  }
  if (!drawing) return answerJson(response, 200, { variables: design.variables })
  const values = valuesIn(await bodyOf(request))
  if (!values) return answerJson(response, 400, { error: 'the body must be an object with the variables' })
  const drawn = drawing === 'renderings'
  await inTurn(async () => {
    // Who asked may have gone while others were drawn.
    if (response.destroyed) return
    const named = drawn ? (design.pictures ?? []) : []
    const pictures = Object.fromEntries(
      await Promise.all(named.map(async (name) => [name, await pictureOf(name)] as const)),
    )
    const task = { design, values, pictures, outputIntent, drawn }
    const { problems, pdf } = await drawApart<typeof draw>(drawingModule, task)
    if (pdf) response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf)
    else answerJson(response, drawn ? 422 : 200, { problems })
  })
}

type InTurn = (work: () => Promise<void>) => Promise<void>

function oneAfterAnother(): InTurn {
  let last = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
}

const drawingModule = new URL('design/draw-design.ts', import.meta.url)

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** More than any order has. */
const bodyBytesMax = 4_194_304

/** undefined = too long */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > bodyBytesMax) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** undefined when the body is not the question of a rendering */
function valuesIn(body: Buffer | undefined): TemplateValues | undefined {
  let question: unknown
  try {
    question = body && readJson(body)
  } catch {
    return undefined
  }
  const values = isJsonObject(question) ? question.variables : undefined
  const isTexts = isJsonObject(values) && Object.values(values).every((value) => typeof value === 'string')
  return isTexts ? (values as TemplateValues) : undefined
}

/** A malformed name names no document. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
