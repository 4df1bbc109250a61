import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { migrate } from '../../src/database/migrate.ts'
import { migrationsFolder } from '../../src/database/migration-files.ts'
import { withClient } from '../faults/order-world.ts'
import { freshDatabase } from '../world/database.ts'

const guide = readFileSync(new URL('../../docs/upgrading.md', import.meta.url), 'utf8')
const [query, ...shapes] = [...guide.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, text]) => text!)

test('the migrations in docs/upgrading.md are applied in their order, and its query tells them', async (t) => {
  const { url, drop } = await freshDatabase('template_production')
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-guide-'))
  t.after(async () => {
    await drop()
    await rm(folder, { recursive: true })
  })
  await cp(migrationsFolder, folder, { recursive: true })
  const names = shapes.map((_, at) => `${9001 + at}-of-the-guide.sql`)
  const newest = names.at(-2)!
  for (const [at, name] of names.entries()) await writeFile(join(folder, name), shapes[at]!.replace('NEWEST', newest))
  assert.deepEqual((await migrate(url, undefined, { folder: pathToFileURL(`${folder}/`) })).applied, names)
  await withClient(url, async (client) => {
    const { rows: told } = await client.query<{ name: string; lives_with: string }>(query!)
    assert.deepEqual([told[0]!.name, told[0]!.lives_with], [names.at(-1), newest])
    const { rows } = await client.query(`select count(*) > 0 as filled from orders where carrier is not null`)
    assert.deepEqual(rows, [{ filled: true }])
  })
})
