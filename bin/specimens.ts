import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { artworkProfiles } from '../src/demo/artwork-profiles.ts'
import { faultyCards, fittingCard } from '../src/demo/specimens/faulty-cards.ts'
import { printDesign } from '../src/demo/specimens/print-design.ts'
import { customersDesign, type SpecimenKind } from '../src/demo/specimens/specimens.ts'

/**
 * `npm run -s specimens`: writes print files to try the sandbox with into `DATA_DIR/specimens/`: one that fits for each
 * kind of product, and a business card with each known fault. Names after the command choose some of them.
 */
const specimens: Readonly<Record<string, () => Promise<Buffer>>> = {
  ...Object.fromEntries(
    Object.keys(artworkProfiles).map((kind) => [kind, () => printDesign(customersDesign(kind as SpecimenKind))]),
  ),
  card: fittingCard,
  ...Object.fromEntries(Object.entries(faultyCards).map(([fault, { print }]) => [`card-${fault}`, print])),
}

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(specimens)
const unknown = chosen.filter((name) => !(name in specimens))
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}. There are ${Object.keys(specimens).join(', ')}.\n`)
  process.exit(1)
}
const folder = resolve(process.env.DATA_DIR ?? 'var', 'specimens')
await mkdir(folder, { recursive: true })
for (const name of chosen) {
  const path = join(folder, `${name}.pdf`)
  await writeFile(path, await specimens[name]!())
  process.stdout.write(`${relative('', path)}\n`)
}
