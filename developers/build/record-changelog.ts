import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { factsOf } from './contract-facts.ts'
import { readEntries, type Entry } from './changelog.ts'
import { readDocuments } from './documents.ts'

/**
 * Writes what the contract has and the changelog does not into the entry of today: `node developers/build/record-changelog.ts
 * 'What it is for, in a sentence.'` Without new words, the entry of today keeps its own.
 */
const recorded = new Set(readEntries().flatMap(({ added }) => added))
const added = factsOf(readDocuments()).filter((fact) => !recorded.has(fact))
const on = new Date().toISOString().slice(0, 10)
const file = new URL(`../changelog/${on}.json`, import.meta.url)
const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Entry) : undefined
const words = [kept?.says, process.argv[2]].filter(Boolean).join(' ')
if (added.length === 0) process.stdout.write('The changelog has all of it.\n')
else if (words === '') process.stderr.write(`Say in a sentence what these are for:\n${added.join('\n')}\n`)
else {
  const entry: Entry = { on, says: words, added: [...(kept?.added ?? []), ...added].toSorted() }
  writeFileSync(file, `${JSON.stringify(entry, null, 2)}\n`)
  process.stdout.write(`${added.length} additions written to developers/changelog/${on}.json\n`)
}
