import { randomUUID } from 'node:crypto'
import type { Queries } from '../../database/database.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { TemplateValues, TemplateVendor } from '../../outside/template-vendor/template-vendor.ts'
import { urlSafeFileName } from '../../vocabulary/text.ts'
import type { OrderableProduct } from '../catalog/orderable-products.ts'
import { usableTemplateId } from '../catalog/template.ts'
import { noteStrays } from '../files/stray-objects.ts'
import { fillingKey } from './ask-once.ts'
import { discard, type FetchedFile } from './fetch-artwork.ts'
import type { OrderProblem, OrderRequestLine } from './order-request.ts'
import { someAtOnce } from './some-at-once.ts'
import { valueProblemSays, vendorCallsAtOnce } from './template-problems.ts'

/** Has the template vendor draw the print files of lines that are made from its documents. */
export type TemplateRendering = { templateVendor: TemplateVendor; objectStore: ObjectStore }

type RenderedLine = { asked: OrderRequestLine; product: OrderableProduct }

/** Lines that are printed alike: they are drawn once, and each gets a file of its own. */
type Filling = { templateId: string; values: TemplateValues; lines: { index: number; partnerLineId: string }[] }

/** The document that a line is drawn from; null if it is not, or brings a finished file. */
export function templateToRender({ asked, product }: RenderedLine): string | null {
  return asked.artworkUrl === undefined ? usableTemplateId(product) : null
}

/**
 * Stores the files of all lines. A vendor that does not render leaves them without one. If a value cannot be printed, it
 * keeps no file and answers the problems.
 * @throws Outage when the vendor does not answer, or the store cannot take a file
 */
export async function renderTemplates(
  queries: Queries,
  { templateVendor, objectStore }: TemplateRendering,
  lines: readonly RenderedLine[],
): Promise<{ files: FetchedFile[] } | { problems: OrderProblem[] }> {
  const files: FetchedFile[] = []
  let isKept = false
  try {
    const problems = (await someAtOnce(fillingsOf(lines), vendorCallsAtOnce, renderOne)).flat()
    isKept = problems.length === 0
    return isKept ? { files } : { problems }
  } finally {
    if (!isKept) await discard(objectStore, files)
  }

  async function renderOne({ templateId, values, lines: alike }: Filling): Promise<OrderProblem[]> {
    const rendering = await templateVendor.render(templateId, values)
    if (!rendering) return []
    if ('problems' in rendering) {
      return alike.flatMap(({ index, partnerLineId }) => {
        const field = `lines[${index}].templateVariables`
        return rendering.problems.map((each) => ({
          reason: 'template_value' as const,
          detail: valueProblemSays(each),
          field,
          partnerLineId,
        }))
      })
    }
    const fileName = urlSafeFileName(`${templateId}.pdf`)
    for (const { index } of alike) {
      const objectKey = `print-files/${randomUUID()}/${fileName}`
      await noteStrays(queries, [objectKey])
      const stored = await objectStore.write(objectKey, rendering.pdf)
      files.push({ lineNumber: index + 1, fileName, objectKey, ...stored, source: 'TEMPLATE' })
    }
    return []
  }
}

function fillingsOf(lines: readonly RenderedLine[]): Filling[] {
  const fillings = new Map<string, Filling>()
  for (const [index, line] of lines.entries()) {
    const templateId = templateToRender(line)
    if (templateId === null) continue
    const values = line.asked.templateVariables ?? {}
    const { lines: alike } = fillings.getOrInsertComputed(fillingKey(templateId, values), () => ({
      templateId,
      values,
      lines: [],
    }))
    alike.push({ index, partnerLineId: line.asked.partnerLineId })
  }
  return [...fillings.values()]
}
