import type { Client } from 'pg'
import type { Environment } from '../vocabulary/environment.ts'
import { hashPassword } from '../vocabulary/password.ts'
import { partnerIdOf, partnersWithPeople } from './cast/partners.ts'
import { demoPerson, demoPersonSalt, demoSignInClient, demoUuid } from './credentials.ts'

/** The people of the demo data who may sign in for their partner, and the application they do it with. */
export async function seedPeople(
  client: Client,
  { environment, demoKey, now }: { environment: Environment; demoKey: Buffer; now: Date },
): Promise<void> {
  for (const key of partnersWithPeople(environment)) {
    const { username, password } = demoPerson(demoKey, environment, key)
    const personId = demoUuid(`person/${key}`)
    const { rows } = await client.query('select from partner_person where person_id = $1', [personId])
    if (rows.length > 0) continue
    await client.query(
      `insert into partner_person (person_id, partner_id, username, email, password_hash, created_on, updated_on)
       values ($1, $2, $3, $3, $4, $5, $5)`,
      [
        personId,
        partnerIdOf(key),
        username,
        await hashPassword(password, demoPersonSalt(demoKey, environment, key)),
        now,
      ],
    )
  }
  const { clientId, name, redirectUri } = demoSignInClient
  await client.query(
    `insert into sign_in_client (client_id, name, redirect_uris, is_native, registered_on)
     values ($1, $2, $3, true, $4) on conflict do nothing`,
    [clientId, name, [redirectUri], now],
  )
}
