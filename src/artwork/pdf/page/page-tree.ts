import { type Budget, TooComplex } from '../budget.ts'
import type { PdfFile } from '../file/pdf-file.ts'
import { Dict, type PdfObject, Ref } from '../syntax/objects.ts'

/** What a page takes from the nodes above it if it does not say so itself (7.7.3.4). */
const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const

type Inherited = ReadonlyMap<string, PdfObject>

export type PageDict = {
  dict: Dict
  /** with what it inherits */
  raw: (key: string) => PdfObject | undefined
}

const mostPages = 3000
const deepest = 64

/**
 * The pages in order. A node that is its own ancestor has no pages.
 * @throws TooComplex
 */
export function pagesOf(file: PdfFile, budget: Budget): PageDict[] {
  const pages: PageDict[] = []
  const above = new Set<number>()

  const visit = (object: PdfObject, inherited: Inherited): void => {
    budget.spend(64)
    const node = file.resolve(object)
    if (!(node instanceof Dict)) return
    const number = object instanceof Ref ? object.number : undefined
    if (number !== undefined && above.has(number)) return
    const kids = node.array('Kids')
    if (kids === undefined && node.name('Type') === 'Pages') return
    if (kids === undefined || node.name('Type') === 'Page') {
      if (pages.length === mostPages) throw new TooComplex('too many pages')
      pages.push({ dict: node, raw: (key) => node.raw(key) ?? inherited.get(key) })
      return
    }
    if (above.size === deepest) throw new TooComplex('the page tree is too deep')
    const passedOn = new Map(inherited)
    for (const key of inheritable) {
      const own = node.raw(key)
      if (own !== undefined) passedOn.set(key, own)
    }
    // a node that stands in the tree itself has no number, but still a depth
    const mark = number ?? -1 - above.size
    above.add(mark)
    for (const kid of kids) visit(kid, passedOn)
    above.delete(mark)
  }

  const root = file.catalog?.raw('Pages')
  if (root !== undefined) visit(root, new Map())
  return pages
}
