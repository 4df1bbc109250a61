import { expect } from './step.ts'

// `expect` checks what the tour needs of answers; the contract's tests check the rest.
// eslint-disable-next-line typescript/no-explicit-any
export type Body = any

/** A partner's developer: calls with a token, and their answers. */
export type Visitor = {
  call: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Body }>
  /** the same; fails unless the answer is a success */
  ok: (method: string, path: string, body?: unknown) => Promise<Body>
  /** the address of an operation in the reference */
  docs: (operationId: string) => string
  /** the address of a chapter of the guide to the sandbox */
  guide: (chapter: string) => string
}

export function visitor(base: string, token: string, links: Pick<Visitor, 'docs' | 'guide'>): Visitor {
  const call: Visitor['call'] = async (method, path, body) => {
    const answer = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: answer.status, body: await answer.json() }
  }
  return {
    call,
    ...links,
    ok: async (method, path, body) => {
      const answer = await call(method, path, body)
      expect(
        answer.status < 300,
        `${method} ${path} answers ${answer.status} ${answer.body.code}: ${answer.body.detail}`,
      )
      return answer.body
    },
  }
}
