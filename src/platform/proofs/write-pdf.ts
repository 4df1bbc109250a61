/**
 * A minimal PDF of one A4 page with lines of text (ISO 32000-1): five objects, the table of their offsets, and the
 * trailer that refers to the first.
 */
const page = { width: 595, height: 842, margin: 56 }

export type PdfLine = { text: string; size: number }

/** Characters outside of Latin-1 are shown as `?`: the standard fonts have no others. */
export function pdfPage(title: string, lines: readonly PdfLine[]): Buffer {
  const content = lines
    .map(({ text, size }, index) => `${index === 0 ? '' : `0 -${size * 2} Td `}/F1 ${size} Tf ${literal(text)} Tj`)
    .join('\n')
  const drawing = [
    `0.5 w 28 28 ${page.width - 56} ${page.height - 56} re S`,
    `BT ${page.margin} ${page.height - 2 * page.margin} Td`,
    content,
    'ET',
  ].join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Contents 4 0 R ` +
      '/Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title ${literal(title)} >>`,
  ]
  let file = '%PDF-1.4\n'
  const starts = objects.map((object, index) => {
    const start = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return start
  })
  const table = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  for (const start of starts) file += `${String(start).padStart(10, '0')} 00000 n \n`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${table}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** A string object: parentheses and backslashes stand for themselves only when escaped (§7.3.4.2). */
function literal(text: string): string {
  const shown = text.replace(/[^\u0020-\u007e\u00a0-\u00ff]/gu, '?')
  return `(${shown.replace(/[\\()]/g, '\\$&')})`
}
