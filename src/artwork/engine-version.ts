import { createHash } from 'node:crypto'
import program from '../../package.json' with { type: 'json' }

/**
 * Raise it with every change by which the same file could get other findings or pictures: results of an older version
 * are not used again.
 */
const edition = 8

/** The libraries that take part in the answer. */
const libraries = ['@embedpdf/pdfium', 'file-type', 'saxes', 'sharp'] as const

/** What the answer of the engine depends on, besides the file and the profile. */
export const engineVersion: string = createHash('sha256')
  .update(JSON.stringify([edition, libraries.map((name) => [name, versions()[name]])]))
  .digest('hex')
  .slice(0, 16)

function versions(): Readonly<Record<string, string>> {
  return program.dependencies
}
