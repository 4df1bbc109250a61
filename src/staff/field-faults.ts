import type { BodyFault } from '../contract/refusal.ts'

/**
 * The field that a refusal names, so that a form shows it there. The rules of all rooms tell a fault of a field in a
 * sentence that begins with it: `The field url must …`, or `In orderingUser: The field email must …`.
 */
export function faultTold(code: string, detail: string): BodyFault[] {
  const [, within, field] = /^(?:In ([\w.[\]]+): )?The field ([A-Za-z][\w.[\]]*) /.exec(detail) ?? []
  if (field === undefined) return []
  return [{ path: within === undefined ? field : `${within}.${field}`, rule: code, detail }]
}
