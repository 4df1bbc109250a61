import type { Findings } from '../../findings/finding.ts'
import type { Materials } from '../content/materials.ts'
import { eachOf, type PdfFile } from '../file/pdf-file.ts'
import type { PageDict } from '../page/page-tree.ts'
import { Dict, latin1, type Resolved } from '../syntax/objects.ts'

/** Actions that do something beyond moving about in the document (12.6.4). */
const activeActions = new Set([
  'JavaScript',
  'Launch',
  'SubmitForm',
  'ImportData',
  'Movie',
  'Sound',
  'Rendition',
  'RichMediaExecute',
])

/** Metadata is looked through up to here. */
const metadataBytes = 1024 * 1024

/** A chain of actions, each with the next. */
const mostActions = 64

/** What is said of the file as a whole: it does more than show pages, or is not ready for print. */
export function judgeFile(pages: readonly PageDict[], materials: Materials, findings: Findings): void {
  const { file, layers } = materials
  const catalog = file.catalog
  if (catalog === undefined) return
  const form = catalog.dict('AcroForm')
  if (form !== undefined && form.get('XFA') !== null)
    findings.add('xfa_form', { mild: catalog.boolean('NeedsRendering') !== true })
  judgeActions(catalog, pages, file, findings)
  judgeEmbedded(catalog, pages, file, findings)
  for (const name of layers.hiddenNames) findings.add('hidden_layers', { subject: name })
  if (!claimsPdfX(materials)) findings.add('not_pdfx')
}

function judgeActions(catalog: Dict, pages: readonly PageDict[], file: PdfFile, findings: Findings): void {
  const found = (action: Resolved): void => {
    let at = action
    for (let step = 0; at instanceof Dict && step < mostActions; step++) {
      const type = at.name('S')
      if (type !== undefined && activeActions.has(type)) findings.add('active_content', { subject: type })
      at = at.get('Next')
    }
  }
  const ofObject = (dict: Dict): void => {
    found(dict.get('A'))
    const additional = dict.dict('AA')
    for (const key of additional?.keys ?? []) found(additional!.get(key))
  }
  found(catalog.get('OpenAction'))
  ofObject(catalog)
  if (catalog.dict('Names')?.dict('JavaScript')) findings.add('active_content', { subject: 'JavaScript' })
  for (const { dict } of pages) {
    ofObject(dict)
    for (const note of eachOf(dict.get('Annots'), file)) if (note instanceof Dict) ofObject(note)
  }
}

function judgeEmbedded(catalog: Dict, pages: readonly PageDict[], file: PdfFile, findings: Findings): void {
  const names = catalog.dict('Names')?.dict('EmbeddedFiles')
  const notes = pages.flatMap(({ dict }) => eachOf(dict.get('Annots'), file))
  const attached = notes.filter((note) => note instanceof Dict && note.name('Subtype') === 'FileAttachment').length
  const named = names === undefined ? 0 : Math.max(1, Math.floor((names.array('Names')?.length ?? 2) / 2))
  const count = attached + Math.max(named, catalog.array('AF')?.length ?? 0)
  if (count > 0) findings.add('embedded_files', { count })
}

/** It says so in the document information, or in the metadata. That is a claim, not a proof. */
function claimsPdfX(materials: Materials): boolean {
  const { file } = materials
  if (file.trailer?.dict('Info')?.text('GTS_PDFXVersion') !== undefined) return true
  const metadata = file.catalog?.stream('Metadata')
  if (metadata === undefined) return false
  return latin1(materials.decoded(metadata).subarray(0, metadataBytes)).includes('GTS_PDFXVersion')
}
