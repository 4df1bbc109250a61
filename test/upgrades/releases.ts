import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { readMigrationFiles } from '../../src/database/migration-files.ts'

/** Releases of the program as folders, in each of which `node src/main.ts` starts it. */
const root = join(import.meta.dirname, '..', '..')
const newest = (await readMigrationFiles()).at(-1)!.name

/** What a release changes in this checkout: texts, each of which occurs in its file once, and new migrations. */
type Release = {
  edits: readonly (readonly [file: string, from: string, to: string])[]
  migrations: Record<string, string>
}

/** It renames `orders.shipping_provider`, which every order is placed with and shows, and keeps both names for a release. */
const renaming: Release = {
  edits: [
    ['src/platform/ordering/write-orders.ts', 'shippingProvider: service?.provider', 'carrier: service?.provider'],
    ['src/platform/order-changes/redirect-order.ts', 'shipping_provider = ${', 'carrier = ${'],
    [
      'src/platform/mail/letters/order-confirmation.ts',
      'ship_to, shipping_provider,',
      'ship_to, carrier as shipping_provider,',
    ],
    ['src/platform/paperwork/read-statement.ts', 'orders.shipping_provider,', 'orders.carrier as shipping_provider,'],
    ['src/resources/orders/order-view.ts', "'orders.shipping_provider'", "'orders.carrier'"],
    ['src/staff/orders/read-order.ts', "'orders.shipping_provider'", "'orders.carrier'"],
    ['src/demo/order-rows.ts', 'shippingProvider: order.service.provider', 'carrier: order.service.provider'],
  ],
  migrations: {
    '9001-carrier.sql': `-- lives-with: ${newest}
alter table orders add column carrier text;
create function carrier_has_two_names() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.carrier := coalesce(new.carrier, new.shipping_provider);
    new.shipping_provider := new.carrier;
  elsif new.carrier is distinct from old.carrier then
    new.shipping_provider := new.carrier;
  else
    new.carrier := new.shipping_provider;
  end if;
  return new;
end $$;
create trigger carrier_has_two_names before insert or update on orders
  for each row execute function carrier_has_two_names();
`,
    '9002-carrier-of-earlier-orders.sql': `-- lives-with: ${newest}
-- outside-transaction
do $$ begin
  loop
    update orders set carrier = shipping_provider where order_number in (
      select order_number from orders where carrier is distinct from shipping_provider limit 1000);
    exit when not found;
    commit;
  end loop;
end $$;
`,
  },
}

/** The release after that: nothing needs the former name any more. */
const renamed: Release = {
  edits: renaming.edits,
  migrations: {
    ...renaming.migrations,
    '9003-carrier-alone.sql': `-- lives-with: 9002-carrier-of-earlier-orders.sql
drop trigger carrier_has_two_names on orders;
drop function carrier_has_two_names();
alter table orders drop column shipping_provider;
`,
  },
}

/** This checkout, the release after it, and the one after that. */
export async function releasesAfterThis(folder: string): Promise<[string, string, string]> {
  return [
    root,
    await writeRelease(join(folder, 'next'), renaming),
    await writeRelease(join(folder, 'one-more'), renamed),
  ]
}

async function writeRelease(folder: string, { edits, migrations }: Release): Promise<string> {
  await mkdir(folder)
  for (const part of ['src', 'bin']) await cp(join(root, part), join(folder, part), { recursive: true })
  await linkRest(folder)
  for (const [file, from, to] of edits) {
    const text = await readFile(join(folder, file), 'utf8')
    if (text.split(from).length !== 2) throw new Error(`${file} must have ${JSON.stringify(from)} once`)
    await writeFile(
      join(folder, file),
      text.replace(from, () => to),
    )
  }
  for (const [name, text] of Object.entries(migrations))
    await writeFile(join(folder, 'src', 'database', 'migrations', name), text)
  return folder
}

/**
 * An earlier release, as git has it. It runs with the packages of this checkout if these are the same, and else with its
 * own, which npm brings.
 */
export async function earlierRelease(folder: string, ref: string): Promise<string> {
  const run = promisify(execFile)
  const earlier = join(folder, 'earlier')
  const archive = join(folder, 'earlier.tar')
  await mkdir(earlier)
  await run('git', ['archive', '--output', archive, ref], { cwd: root })
  await run('tar', ['-xf', archive, '-C', earlier])
  // Its own version aside: a release in which no package changed has the packages of this checkout.
  const lock = async (of: string): Promise<string> => {
    const { packages } = JSON.parse(await readFile(join(of, 'package-lock.json'), 'utf8')) as { packages: object }
    return JSON.stringify({ ...packages, '': undefined })
  }
  if ((await lock(earlier)) !== (await lock(root))) await run('npm', ['ci'], { cwd: earlier })
  else await linkRest(earlier)
  return earlier
}

/** Links what this checkout has and the folder lacks, such as packages and built pages. */
async function linkRest(folder: string, below = ''): Promise<void> {
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = join(below, entry.name)
    const target = join(folder, path)
    if (['.git', 'var', 'test', 'src', 'bin'].includes(path)) continue
    if (!existsSync(target)) {
      await mkdir(dirname(target), { recursive: true })
      await symlink(join(root, path), target)
    } else if (entry.isDirectory() && entry.name !== 'node_modules') await linkRest(folder, path)
  }
}
