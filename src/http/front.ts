import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import createRouter from 'find-my-way'
import type { Logger } from 'pino'
import type { ProblemCode } from '../contract/problems.ts'
import { createDrain } from './answering/drain.ts'
import { problemDocument, problemMediaType } from './answering/problem.ts'
import { send } from './answering/send.ts'
import { originForm } from './reading/request-line.ts'
import { createHttpServer, listenAt, type RefusedRequest, type ServerFactory } from './server.ts'

/**
 * What every HTTP host has in common: it listens, finds the door of a path, and stops without losing a request. It
 * knows no operation, no caller and no form of answer.
 */
export type Front = {
  /** starts to listen; answers the port. Rejects when the address or port is not available */
  listen: (address: string, port: number) => Promise<number>
  /** undefined = it does not listen */
  port: () => number | undefined
  /** stops accepting, and resolves when every request taken is answered */
  close: () => Promise<void>
}

/** Path segments by their names in the template: decoded, or as they came where the path cannot be decoded. */
export type PathTexts = Readonly<Record<string, string | undefined>>

/** A method on a path, and what answers there. A door of GET also answers HEAD: Node leaves out the body. */
export type Door = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** `{name}` matches any one segment */
  path: string
  answer: (request: IncomingMessage, response: ServerResponse, path: PathTexts) => Promise<void>
}

export type FrontParts = {
  doors: readonly Door[]
  /** answers where there is no door; `allow` lists the methods of the path, separated by commas */
  answerMissed: (request: IncomingMessage, response: ServerResponse, allow: string | undefined) => Promise<void>
  /** the host's own URL, as clients reach it; known once it listens */
  ownUrl: () => string
  serverFactory?: ServerFactory | undefined
  /** how long idle connections stay open once it closes */
  closingGraceMilliseconds: number
  log: Pick<Logger, 'error'>
}

type Method = Door['method'] | 'HEAD'
type FoundDoor = { door: Door; path: PathTexts }

export function createFront(parts: FrontParts): Front {
  const { doors, answerMissed, ownUrl, serverFactory, closingGraceMilliseconds, log } = parts
  const drain = createDrain(closingGraceMilliseconds)
  const router = createRouter({
    // Ids of any length reach the code that reads ids and refuses them. Node bounds the request line.
    maxParamLength: Number.MAX_SAFE_INTEGER,
    // Queries are read later, by the contract.
    querystringParser: () => ({}),
  })
  const methods = new Set<Method>()
  for (const door of doors) {
    const answered: Method[] = door.method === 'GET' ? ['GET', 'HEAD'] : [door.method]
    router.on(answered, door.path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, door)
    for (const method of answered) methods.add(method)
  }
  const server = createHttpServer(
    { answer: (request, response) => void answer(request, response), refusal, ownUrl, serverFactory },
    { requestTimeout: 30_000, keepAliveTimeout: 72_000 },
  )
  // Remembered, because every answer tells it, and the server would ask the kernel.
  let listensAt: number | undefined

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    drain.begin(response)
    try {
      const target = originForm(request.url!)
      request.url = target
      const found = find(request.method as Method, target)
      if (found) await found.door.answer(request, response, found.path)
      else await answerMissed(request, response, allowed(target))
    } catch (error) {
      answerBug(response, error)
    }
  }

  function find(method: Method, target: string): FoundDoor | undefined {
    // The target of the whole server names no path.
    if (target === '*') return undefined
    // A path that cannot be decoded is matched as it came, so that a malformed id still gets its own 400.
    const found = router.find(method, target) ?? router.find(method, target.replaceAll('%', '%25'))
    return found ? { door: found.store as Door, path: found.params } : undefined
  }

  function allowed(target: string): string | undefined {
    const found = [...methods].filter((method) => find(method, target))
    return found.toSorted().join(', ') || undefined
  }

  /** Doors answer their own errors. One that throws all the same is answered as a bug, and other requests go on. */
  function answerBug(response: ServerResponse, error: unknown): void {
    const requestId = randomUUID()
    log.error({ requestId, err: error }, 'bug')
    if (response.headersSent) return void response.destroy()
    const { headers, text } = problem('internal_error', requestId)
    send(response, 500, problemMediaType, text, headers)
  }

  return {
    listen: async (address, port) => {
      listensAt = await listenAt(server, address, port)
      return listensAt
    },
    port: () => listensAt,
    close: () => drain.finish(server),
  }
}

function refusal(says: string): RefusedRequest {
  return problem('invalid_request', randomUUID(), says)
}

function problem(code: ProblemCode, requestId: string, detail?: string): RefusedRequest {
  return {
    headers: {
      'content-type': problemMediaType,
      'request-id': requestId,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    text: JSON.stringify(problemDocument(code, requestId, detail)),
  }
}
