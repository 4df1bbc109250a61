import type { PdfFile } from '../file/pdf-file.ts'
import { Dict, type PdfObject, type Resolved } from '../syntax/objects.ts'

/** The layers of a file (optional content, 8.11) as a viewer shows them at first. */
export class Layers {
  readonly #file: PdfFile
  readonly #hidden = new Set<Resolved>()
  /** the names of the hidden layers */
  readonly hiddenNames: readonly string[]

  constructor(file: PdfFile) {
    this.#file = file
    const properties = file.catalog?.dict('OCProperties')
    const usual = properties?.dict('D')
    const all = properties?.list('OCGs') ?? []
    const off = usual?.name('BaseState') === 'OFF' ? all : (usual?.list('OFF') ?? [])
    for (const layer of off) this.#hidden.add(layer)
    if (usual?.name('BaseState') === 'OFF') for (const layer of usual.list('ON') ?? []) this.#hidden.delete(layer)
    this.hiddenNames = [...this.#hidden].flatMap((layer) =>
      layer instanceof Dict ? [layer.text('Name') ?? 'without a name'] : [],
    )
  }

  /** @param object a group (OCG), or a membership (OCMD) of one or several; any that is shown shows all */
  hides(object: PdfObject | undefined): boolean {
    if (this.#hidden.size === 0) return false
    const value = this.#file.resolve(object)
    if (this.#hidden.has(value)) return true
    if (!(value instanceof Dict) || value.name('Type') !== 'OCMD') return false
    const groups = value.dict('OCGs') ? [value.get('OCGs')] : (value.list('OCGs') ?? [])
    return groups.length > 0 && groups.every((group) => this.#hidden.has(group))
  }
}
