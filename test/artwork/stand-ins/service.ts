import { createArtworkEngine } from '../../../src/artwork/engine.ts'
import { noRules } from '../profiles.ts'
import { pdfThatAsks } from './deed.ts'
import { standIns } from './programs.ts'

/**
 * A service whose engine has inspected a file. With `loop` it then inspects one whose renderer computes without end. It
 * prints a line when it has come so far; it does nothing to stay up or to end.
 */
const engine = createArtworkEngine({ log: () => {}, programs: standIns })
const inspection = { types: ['application/pdf'], profile: noRules } as const
await Array.fromAsync(engine.inspect({ ...inspection, bytes: pdfThatAsks({}) }))
if (process.argv[2] === 'loop') {
  const loops = engine.inspect({ ...inspection, bytes: pdfThatAsks({ renderer: { do: 'tell and loop' } }) })
  for await (const { kind } of loops) if (kind === 'more_findings') process.stdout.write('it loops\n')
} else process.stdout.write('inspected\n')
