import { readdirSync, readFileSync } from 'node:fs'
import { kebab } from './documents.ts'

/** An addition to the contract. The first entry holds all that there was. */
export type Entry = {
  /** a day, as 2026-11-23 */
  on: string
  /** in words, for people */
  says: string
  /** as `factsOf` writes them */
  added: readonly string[]
}

const folder = new URL('../changelog/', import.meta.url)

/** The newest first. */
export function readEntries(): Entry[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .toReversed()
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Entry)
}

export function changelogPage(entries: readonly Entry[]): string {
  return entries
    .map(({ on, says, added }, index) => {
      const isFirst = index === entries.length - 1
      return [`## ${on}`, says, ...(isFirst ? [countOf(added)] : kinds.map((kind) => listOf(kind, added)))]
        .filter(Boolean)
        .join('\n\n')
    })
    .join('\n\n')
}

const kinds = [
  ['operation', 'New operations'],
  ['event', 'New events'],
  ['code', 'New codes'],
  ['parameter', 'New parameters'],
  ['field', 'New fields'],
] as const

function ofKind(kind: string, added: readonly string[]): string[] {
  return added.filter((fact) => fact.startsWith(`${kind} `)).map((fact) => fact.slice(kind.length + 1))
}

function countOf(added: readonly string[]): string {
  return `${ofKind('operation', added).length} operations, ${ofKind('event', added).length} events, ${ofKind('code', added).length} codes.`
}

/** What belongs to a new operation is new with it, so it is not told again. */
function listOf([kind, heading]: (typeof kinds)[number], added: readonly string[]): string {
  const operations = new Set(ofKind('operation', added))
  const names = ofKind(kind, added).filter((name) => kind !== 'parameter' || !operations.has(name.split('.', 1)[0]!))
  if (names.length === 0) return ''
  if (names.length > atOnceMax && names.every((name) => name.includes('.'))) return folded(heading, names)
  return `**${heading}:** ${names.map((name) => shown(kind, name)).join(', ')}`
}

/** More names than these are folded. */
const atOnceMax = 20

/** By what they belong to, each once: fields by record, parameters by operation. */
function folded(heading: string, names: readonly string[]): string {
  const groups = Map.groupBy(names, (name) => name.slice(0, name.indexOf('.')))
  const items = [...groups].map(
    ([owner, all]) => `- \`${owner}\`: ${all.map((name) => `\`${name.slice(owner.length + 1)}\``).join(', ')}`,
  )
  return `<details>\n<summary>${heading}: ${names.length}</summary>\n\n${items.join('\n')}\n\n</details>`
}

function shown(kind: string, name: string): string {
  if (kind === 'operation') return `[\`${name}\`](/reference/${kebab(name)}/)`
  if (kind === 'code') return `[\`${name}\`](/guides/errors/${name}/)`
  return `\`${name}\``
}
