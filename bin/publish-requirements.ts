import { globSync, readFileSync, writeFileSync } from 'node:fs'

/**
 * Writes docs/requirements.md: each requirement id with the titles of the tests that prove it or, for a requirement
 * that no test can check, the place to look, from docs/inspected.json. `--check` fails when the file is out of date.
 */
const file = new URL('../docs/requirements.md', import.meta.url)
const inspected = JSON.parse(readFileSync(new URL('../docs/inspected.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>

const titles = new Map<string, { title: string; path: string }[]>()
for (const path of globSync('{src,test}/**/*.test.ts').toSorted()) {
  for (const [, , title] of readFileSync(path, 'utf8').matchAll(/\btest(?:\.\w+)?\s*\(\s*(['"`])([\s\S]*?)\1/g)) {
    for (const [id] of title!.matchAll(/\b[A-Z]{2,6}-\d{2,3}\b/g)) {
      titles.set(id, [...(titles.get(id) ?? []), { title: title!.replaceAll(/\s+/g, ' '), path }])
    }
  }
}

const ids = [...new Set([...titles.keys(), ...Object.keys(inspected)])].toSorted()
const groups = Map.groupBy(ids, (id) => id.split('-')[0]!)
const text = [
  '# Requirements and what proves them',
  '',
  'Generated from the test titles by `node bin/publish-requirements.ts`. Each id is one testable statement of the',
  "specification; the sentences below are the tests' own.",
  ...[...groups].flatMap(([group, members]) => ['', `## ${group}`, '', ...members.flatMap(entry)]),
  '',
].join('\n')

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write('docs/requirements.md is out of date: run node bin/publish-requirements.ts\n')
    process.exit(1)
  }
} else {
  writeFileSync(file, text)
}

function entry(id: string): string[] {
  const proofs = (titles.get(id) ?? []).map(({ title, path }) => `  - ${sentence(title)} (\`${path}\`)`)
  const look = inspected[id] === undefined ? [] : [`  - to be seen by reading: ${inspected[id]}`]
  return [`- **${id}**`, ...proofs, ...look]
}

/** The title without its ids. */
function sentence(title: string): string {
  return title.replace(/^((?:[A-Z]{2,6}-\d{2,3})(?:,\s*|\s+and\s+|\s+to\s+|\s+))+/, '').trim()
}
