/**
 * Renders the subset of Markdown that our guides use as HTML: headings, paragraphs, lists, tables, code, bold and links. It
 * gets no external input, but escapes all the same.
 */
export function markdownAsHtml(markdown: string): string {
  return blocks(markdown).map(blockAsHtml).join('\n')
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** Separated by blank lines; a heading stands alone. */
function blocks(markdown: string): string[][] {
  return markdown
    .split(/\n\s*\n/)
    .map((block) => block.split('\n').filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 0)
}

function blockAsHtml(lines: string[]): string {
  const [first] = lines as [string]
  const heading = /^(#+) (.*)$/.exec(first)
  if (heading) return `<h${heading[1]!.length}>${inline(heading[2]!)}</h${heading[1]!.length}>`
  if (first.startsWith('|')) return table(lines)
  if (first.startsWith('- ')) return list('ul', lines, /^- /)
  if (/^\d+\. /.test(first)) return list('ol', lines, /^\d+\. /)
  return `<p>${inline(lines.join(' '))}</p>`
}

/** Lines without a marker belong to the item before them. */
function list(tag: 'ul' | 'ol', lines: string[], mark: RegExp): string {
  const items: string[] = []
  for (const line of lines) {
    if (mark.test(line)) items.push(line.replace(mark, ''))
    else items.push(`${items.pop() ?? ''} ${line.trim()}`)
  }
  return `<${tag}>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</${tag}>`
}

function table([head, , ...rows]: string[]): string {
  const cells = (line: string, tag: string): string =>
    `<tr>${line
      .split('|')
      .slice(1, -1)
      .map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`)
      .join('')}</tr>`
  return `<table><thead>${cells(head!, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table>`
}

function inline(text: string): string {
  return escaped(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\[([^\]]+)\]\((\/[^)]*)\)/g, '<a href="$2">$1</a>')
}
