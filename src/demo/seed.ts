import { Client } from 'pg'
import { allEnded } from '../vocabulary/all-ended.ts'
import { hashPassword } from '../vocabulary/password.ts'
import type { Environment } from '../vocabulary/environment.ts'
import { keepDemoKey } from './demo-key.ts'
import { DemoRefused } from './demo-refused.ts'
import type { CastManifest, Fixtures } from './cast/cast.ts'
import type { CastOptions } from './cast/options.ts'
import { partnerEntries } from './cast/partners.ts'
import { sites } from './cast/sites.ts'
import { demoStaff, demoStaffSalt, demoUuid } from './credentials.ts'
import { seedPeople } from './seed-people.ts'
import type { MasterKeys } from '../vocabulary/keys.ts'

/**
 * Writes the demo data into an empty database, in one transaction, so that an interruption leaves nothing. It decides
 * when to seed and records that it has; `insert-demo.ts` writes the data, and is loaded where it is missing.
 */

/** The lock that all instances share: the one that gets it seeds, the others wait and find the work done. */
const advisoryLock = 7_305_002

export type SeedOptions = {
  environment: Environment
  masterKeys: MasterKeys
  /** the instant that all dates are relative to */
  now: Date
  /** also the thousands of rows around the cast */
  crowd: boolean
}

/** `demoKey`: the credentials of the demo data follow from it */
export type Seeded = { manifest: CastManifest; demoKey: Buffer }

/** What a seeding tells while it goes on. */
export type SeedNews = {
  /** the share of the rows that are written, up to 1 */
  tellDone: (share: number) => void
  /** the database was seeded before, at this ISO 8601 instant */
  tellKept: (madeOn: string) => void
}

/** PostgreSQL's code. */
const insufficientPrivilege = '42501'

const noNews: SeedNews = { tellDone: () => {}, tellKept: () => {} }

/** A database to seed, and what with. */
export type Seeding = { databaseUrl: string; options: SeedOptions }

/**
 * Seeds databases beside each other.
 * @param newsOf what is told of each environment
 * @returns in the order of the seedings
 */
export function seedAll(
  seedings: readonly Seeding[],
  newsOf: (environment: Environment) => SeedNews,
): Promise<Seeded[]> {
  return allEnded(
    seedings.map(({ databaseUrl, options }) => seedDemo(databaseUrl, options, newsOf(options.environment))),
  )
}

/** Whether the database has its demo data. */
export async function isSeeded(databaseUrl: string, environment: Environment): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'partner-commerce demo seed' })
  await client.connect()
  try {
    return (await findSeeding(client, environment)) !== undefined
  } finally {
    await client.end()
  }
}

/**
 * Seeds the database at `databaseUrl`, whose schema must be current, and tells what the manifest needs. A database that
 * was seeded before is left as it is. Throws, with a sentence for people, where it holds anything else.
 */
export async function seedDemo(
  databaseUrl: string,
  options: SeedOptions,
  { tellDone, tellKept }: SeedNews = noNews,
): Promise<Seeded> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'partner-commerce demo seed' })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLock])
    const seeded = await findSeeding(client, options.environment)
    const demoKey = await keepDemoKey(client, options, seeded !== undefined)
    const keyed = { ...options, demoKey }
    if (options.environment === 'PRODUCTION') await seedStaff(client, keyed)
    if (seeded) {
      await seedPeople(client, keyed)
      await client.query('commit')
      tellKept(seeded.madeOn)
      return { manifest: { partners: partnerEntries(keyed), sites, fixtures: seeded.fixtures }, demoKey }
    }
    await refuseUnlessEmpty(client, options.environment)
    const { insertDemo } = await import('./insert-demo.ts')
    const manifest = await insertDemo(client, keyed, tellDone)
    await recordSeeding(client, options, manifest.fixtures)
    await seedPeople(client, keyed)
    await client.query('commit')
    return { manifest, demoKey }
  } catch (error) {
    if ((error as { code?: string }).code !== insufficientPrivilege) throw error
    throw new DemoRefused(
      'The role of DATABASE_URL may not add the demo data: name the owner of the tables in MIGRATION_DATABASE_URL and SANDBOX_MIGRATION_DATABASE_URL, or set DEMO=off.',
    )
  } finally {
    // Ending the connection rolls back what was not committed.
    await client.end()
  }
}

/** When it was seeded, and the fixtures of then, which a later version of the program may number differently. */
async function findSeeding(
  client: Client,
  environment: Environment,
): Promise<{ fixtures: Fixtures; madeOn: string } | undefined> {
  const { rows } = await client.query<{ fixtures: Fixtures; recorded_on: Date }>(
    `select detail -> 'fixtures' as fixtures, recorded_on from audit_record
     where subject_kind = 'demo' and subject_id = $1`,
    [environment],
  )
  return rows[0] && { fixtures: rows[0].fixtures, madeOn: rows[0].recorded_on.toISOString() }
}

async function refuseUnlessEmpty(client: Client, environment: Environment): Promise<void> {
  const { rows } = await client.query<{ holds_data: boolean }>(
    'select exists (select from site) or exists (select from partner) as holds_data',
  )
  if (rows[0]!.holds_data)
    throw new DemoRefused(
      `The ${environment.toLowerCase()} database holds data that is not the demo data, so the demo data was not added: ` +
        'set DEMO=off to keep this database, or name an empty one.',
    )
}

/** Also where the demo data is older than its staff. */
async function seedStaff(client: Client, { demoKey, now }: Pick<CastOptions, 'demoKey' | 'now'>): Promise<void> {
  const { username, password } = demoStaff(demoKey)
  const { rows } = await client.query('select from staff_account where username_folded = $1', [username])
  if (rows.length > 0) return
  await client.query(
    `insert into staff_account
       (staff_id, username, username_folded, password_hash, roles, password_set_on, created_on, updated_on)
     values ($1, $2, $2, $3, '{ADMIN}', $4, $4, $4)`,
    [demoUuid(`staff/${username}`), username, await hashPassword(password, demoStaffSalt(demoKey)), now],
  )
}

/** The audit record of the seeding also identifies a seeded database. */
async function recordSeeding(client: Client, options: SeedOptions, fixtures: Fixtures): Promise<void> {
  await client.query(
    `insert into audit_record (recorded_on, actor_kind, actor_id, action, subject_kind, subject_id, detail)
     values ($1, 'SYSTEM', 'demo', 'demo.seeded', 'demo', $2, $3)`,
    [options.now, options.environment, JSON.stringify({ crowd: options.crowd, fixtures })],
  )
}
