import { createHash, hkdfSync } from 'node:crypto'
import type { Environment } from '../vocabulary/environment.ts'

/**
 * The credentials of the demo data. They follow from a key of the demo (`demo-key.ts`), so that a restart writes the same ones
 * into the manifest although the database keeps only their hashes, and no two installations share any.
 */

export type AppClient = { clientId: string; clientSecret: string }

/** The app client number `turn` (1, 2, …) of a demo partner. */
export function demoAppClient(demoKey: Buffer, environment: Environment, partnerKey: string, turn: number): AppClient {
  const label = `${environment}/app-client/${partnerKey}/${turn}`
  return {
    clientId: `pc_${derived(demoKey, `${label}/id`, 12).toString('hex')}`,
    clientSecret: `pcs_${derived(demoKey, `${label}/secret`, 32).toString('base64url')}`,
  }
}

/** The secret a mutual-TLS partner's key pair follows from. */
export function demoKeySecret(demoKey: Buffer, environment: Environment, partnerKey: string): Buffer {
  return derived(demoKey, `${environment}/key-pair/${partnerKey}`, 32)
}

/** The person who may sign in to the staff console of the demo data. */
export function demoStaff(demoKey: Buffer): { username: string; password: string } {
  return { username: 'demo', password: derived(demoKey, 'staff/demo', 15).toString('base64url') }
}

/** The salt its password is stored with, which makes the same row of the same key. */
export function demoStaffSalt(demoKey: Buffer): Buffer {
  return derived(demoKey, 'staff/demo/salt', 16)
}

/** The person who may sign in for a partner of the demo data. */
export function demoPerson(demoKey: Buffer, environment: Environment, partnerKey: string): Person {
  const label = `${environment}/person/${partnerKey}`
  return { username: `dana@${partnerKey}.example`, password: derived(demoKey, label, 15).toString('base64url') }
}

/** The salt their password is stored with. */
export function demoPersonSalt(demoKey: Buffer, environment: Environment, partnerKey: string): Buffer {
  return derived(demoKey, `${environment}/person/${partnerKey}/salt`, 16)
}

export type Person = { username: string; password: string }

/** The application people of the demo data sign in with, where theirs does not publish a document about itself. */
export const demoSignInClient = {
  clientId: 'demo-mcp-client',
  name: 'Demo MCP client',
  redirectUri: 'http://127.0.0.1:8976/callback',
}

function derived(demoKey: Buffer, label: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', demoKey, '', `partner-commerce/demo/${label}`, bytes))
}

/** A UUID (version 4 by its form) that is the same in every demo data. */
export function demoUuid(label: string): string {
  const bytes = createHash('sha256').update(`partner-commerce/demo/${label}`).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
