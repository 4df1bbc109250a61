import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Generator, getConfig } from '@tanstack/router-generator'
import openapiTS, { astToString } from 'openapi-typescript'
import { routerConfig } from './router-config.ts'

/**
 * Writes what the console's program is made from: the types of the staff API, a table of its operations, and the tree of
 * routes. Nothing of it is in the repository.
 */
const document = new URL('../../openapi/staff.json', import.meta.url)
const api = (name: string) => new URL(`../src/api/${name}`, import.meta.url)

type Operation = { operationId?: string; 'x-permission'?: string }
type Contract = { paths: Record<string, Record<string, Operation>> }

const contract = JSON.parse(await readFile(document, 'utf8')) as Contract

const rows = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    operation.operationId === undefined
      ? []
      : [[operation.operationId, [method.toUpperCase(), path, operation['x-permission'] ?? null]] as const],
  ),
)
const table = `/** Method, path and permission of each operation. */\nexport const operationTable = ${JSON.stringify(Object.fromEntries(rows))} as const\n`

await Promise.all([
  writeIfNew(api('operations.gen.ts'), table),
  writeIfNew(api('staff.gen.d.ts'), astToString(await openapiTS(document, { defaultNonNullable: false }))),
  new Generator({
    config: getConfig(routerConfig, fileURLToPath(new URL('..', import.meta.url))),
    root: fileURLToPath(new URL('..', import.meta.url)),
  }).run(),
])

/** A file that stays as it is wakes no watcher. */
async function writeIfNew(file: URL, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) await writeFile(file, text)
}
