import { inspectPdf } from '../pdf/inspect-pdf.ts'
import { packed } from './handover.ts'
import { serveFile } from './serve-file.ts'

/** The program of the child that reads PDFs. It uses no library. */
serveFile(async function* ({ bytes, mediaType, profile }) {
  const { findings, readable, pages, heavyImages, outputProfile } = inspectPdf(bytes, profile)
  yield { kind: 'findings', mediaType, readable, findings, pages }
  yield { kind: 'handover', bytes: packed({ pages, heavyImages, outputProfile }) }
})
