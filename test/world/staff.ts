import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { problemRecord } from '../../src/contract/problem-document.ts'
import { methodOf, pathOf } from '../../src/contract/operation.ts'
import { createStaffAccount } from '../../src/staff/accounts/staff-accounts.ts'
import { staffApi, staffProblems } from '../../src/staff/api.ts'
import { staffProblemsOf, type StaffOperation } from '../../src/staff/operation.ts'
import type { StaffRole } from '../../src/vocabulary/staff-roles.ts'
import { assertShape } from './contract.ts'
import { done } from './done.ts'
import { ask, type Answer } from './partner.ts'
import { assertTold } from './sentences.ts'
import type { TestService } from './service.ts'

/** A staff member who calls the staff API. Every answer is checked against the contract. */
export type Staff = {
  username: string
  password: string
  /** the token of a bearer session */
  token: string
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
  get: (path: string) => Promise<Answer>
  post: (path: string, body?: unknown) => Promise<Answer>
  put: (path: string, body?: unknown) => Promise<Answer>
  patch: (path: string, body?: unknown) => Promise<Answer>
}

/** The ADMIN of the demo data, signed in. */
export function staff(service: TestService): Promise<Staff> {
  return signedIn(service, service.manifest.staff)
}

/** A new staff member with these roles, signed in. */
export async function staffWith(service: TestService, roles: readonly StaffRole[]): Promise<Staff> {
  const person = { username: `tester-${randomUUID().slice(0, 8)}`, password: randomUUID() }
  const change = { actor: { kind: 'STAFF', id: 'tester' }, now: new Date(), requestId: null } as const
  await done(service.production.database.change((tx) => createStaffAccount(tx, change, { ...person, roles })))
  return signedIn(service, person)
}

async function signedIn(service: TestService, person: { username: string; password: string }): Promise<Staff> {
  const url = service.hosts.consoleUrl
  const answer = await sendStaff(url, 'POST', '/staff/v1/session', { ...person, transport: 'bearer' })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const token = answer.body.token as string
  const call: Staff['call'] = (method, path, body, headers) =>
    sendStaff(url, method, path, body, { authorization: `Bearer ${token}`, ...headers })
  return {
    ...person,
    token,
    call,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    patch: (path, body) => call('PATCH', path, body),
  }
}

/** Sends one request, with a body as for `ask`, and checks the answer against the contract. */
export async function sendStaff(
  consoleUrl: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await ask(consoleUrl + path, method, body, headers)
  const entry = staffOperationAt(method, path)
  const isFile = answer.status < 400 && entry?.download !== undefined
  if (isFile) assert.equal(answer.headers.get('content-type'), entry.download!.mediaType)
  const parsed: unknown = isFile ? answer.text : JSON.parse(answer.text)
  assertStaffAnswered(entry, answer.status, parsed)
  return { status: answer.status, headers: answer.headers, body: parsed }
}

const byLength = Object.values(staffApi).toSorted((a, b) => a.at.split('{').length - b.at.split('{').length)

function staffOperationAt(method: string, path: string): StaffOperation | undefined {
  const plain = path.split('?', 1)[0]!
  const formOf = (entry: StaffOperation) => new RegExp(`^${pathOf(entry).replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  return byLength.find((entry) => methodOf(entry) === method && formOf(entry).test(plain))
}

const StaffProblem = problemRecord(Object.keys(staffProblems), 'any')

function assertStaffAnswered(entry: StaffOperation | undefined, status: number, body: unknown): void {
  if (status < 400 || entry?.answers[status]) {
    if (!entry) return
    assert.ok(entry.answers[status], `${entry.id} does not declare the status ${status}`)
    return assertShape(entry.id, entry.answers[status], body)
  }
  assertShape('a problem', StaffProblem, body)
  const problem = body as { code: string; status: number; detail: string }
  assertTold(problem, entry?.id ?? 'a problem', 1)
  assert.deepEqual([problem.status, staffProblems[problem.code]![0]], [status, status])
  if (entry) assert.ok(staffProblemsOf(entry).includes(problem.code), `${entry.id} does not declare ${problem.code}`)
}
