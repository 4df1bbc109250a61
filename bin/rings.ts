import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Checks, as part of `npm run check`, which rooms and files of `src/` import which. Type imports count like any other.
 * Tests may import anything.
 */

/** Each room with the rooms it may import. A room never imports a room that is listed after it. */
const rooms: Readonly<Record<string, string>> = {
  vocabulary: '',
  contract: 'vocabulary',
  publish: 'vocabulary contract',
  database: 'vocabulary',
  http: 'vocabulary contract',
  documents: 'vocabulary',
  artwork: 'vocabulary',
  outside: 'vocabulary http documents',
  operations: 'vocabulary contract http',
  'developer-site': 'vocabulary contract http',
  platform: 'vocabulary database documents artwork outside',
  backup: 'vocabulary database outside',
  retention: 'vocabulary platform',
  partners: 'vocabulary contract database platform',
  intake: 'vocabulary database outside platform',
  webhooks: 'vocabulary database outside platform partners',
  privacy: 'vocabulary database outside platform',
  resources: 'vocabulary contract publish database outside platform partners intake',
  'mutual-tls': 'vocabulary database outside partners',
  auth: 'vocabulary contract database outside platform partners',
  gateway: 'vocabulary contract database partners auth http',
  mcp: 'vocabulary contract publish http gateway',
  developer: 'vocabulary contract database webhooks gateway',
  sandbox: 'vocabulary contract database outside platform partners intake webhooks http',
  staff:
    'vocabulary contract publish database outside platform partners intake webhooks privacy resources developer sandbox http gateway',
  demo: 'vocabulary contract database documents artwork outside platform partners webhooks auth mutual-tls staff',
}

const src = fileURLToPath(new URL('../src/', import.meta.url))
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .toSorted()
const importsOf = new Map(files.map((file) => [file, readImports(file)]))
const faults = [...files.flatMap(roomFaults), ...circles('file', importsOf), ...circles('folder', foldersOf(importsOf))]
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length > 0 ? 1 : 0

/** The files of `src/` that a file imports, types included. */
function readImports(file: string): string[] {
  const text = readFileSync(join(src, file), 'utf8')
  return [...text.matchAll(/(?:from|import) ?\(?'(\.{1,2}\/[^']+\.ts)'/g)].map((match) =>
    join(dirname(file), match[1]!),
  )
}

function roomFaults(file: string): string[] {
  const room = roomOf(file)
  // The files directly in src/ compose the service from the rooms.
  if (room === undefined) return []
  const allowed = rooms[room]
  if (allowed === undefined) return [`src/${file}: the room ${room} is not in the table of bin/rings.ts`]
  return importsOf
    .get(file)!
    .filter((imported) => roomOf(imported) !== room && !allowed.split(' ').includes(roomOf(imported) ?? ''))
    .map((imported) => `src/${file}: ${room} must not import ${imported}`)
    .concat(sisterFaults(file))
}

/** Resources never import each other: code that two of them share is in `contract/`. */
function sisterFaults(file: string): string[] {
  const folder = dirname(file)
  if (!folder.startsWith('resources/')) return []
  return importsOf
    .get(file)!
    .filter((imported) => imported.startsWith('resources/') && dirname(imported) !== folder)
    .map((imported) => `src/${file}: a resource must not import ${imported}`)
}

function roomOf(file: string): string | undefined {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : undefined
}

/** The folders of the platform and of `src/`, with the folders that each imports. */
function foldersOf(graph: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const folders = new Map<string, string[]>()
  for (const [file, imported] of graph) {
    const folder = folderOf(file)
    if (folder === undefined) continue
    const others = imported.map(folderOf).filter((other) => other !== undefined && other !== folder) as string[]
    folders.set(folder, [...new Set([...(folders.get(folder) ?? []), ...others])])
  }
  return folders
}

function folderOf(file: string): string | undefined {
  return file.startsWith('platform/') ? dirname(file) : roomOf(file)
}

/** Finds every circle once, by depth-first search. */
function circles(kind: string, graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (node: string, path: readonly string[]): void => {
    const at = path.indexOf(node)
    if (at >= 0)
      found.push(`circle of ${kind}s: ${[...path.slice(at), node].map((each) => relative('', each)).join(' → ')}`)
    if (at >= 0 || done.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...path, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return found
}
