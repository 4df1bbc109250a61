import { closingOf, oneLineOf, sandboxSentence, type Block, type Letter, type Sender } from './letter.ts'

const lineLength = 76

/** The letter as plain text, which says all that the HTML says. */
export function letterText(letter: Letter, sender: Sender): string {
  const title = oneLineOf(letter.title)
  const parts = [
    oneLineOf(sender.name),
    ...(sender.isSandbox ? [sandboxSentence] : []),
    wrapped(title),
    ...letter.blocks.map(blockText).filter((text) => text !== ''),
    `-- \n${wrapped(closingOf(sender))}${sender.siteUrl === null ? '' : `\n${sender.siteUrl}`}`,
  ]
  return `${parts.join('\n\n')}\n`
}

function blockText(block: Block): string {
  switch (block.is) {
    case 'text':
      return wrapped(oneLineOf(block.text))
    case 'button':
      return `${block.label}:\n${block.url}`
    case 'picture':
      return ''
    case 'facts':
      return block.rows.map(([name, value]) => `${name}: ${oneLineOf(value)}`).join('\n')
    case 'address':
      return [`${block.title}:`, ...block.lines.map((line) => `  ${oneLineOf(line)}`)].join('\n')
    case 'items':
      return [
        ...block.items.map(({ name, details, quantity, amount }) =>
          [
            `${quantity.toLocaleString('en')} × ${oneLineOf(name)}${amount === null ? '' : `: ${amount}`}`,
            ...details.map((detail) => `  ${oneLineOf(detail)}`),
          ].join('\n'),
        ),
        block.totals.map(({ name, amount }) => `${name}: ${amount}`).join('\n'),
      ]
        .filter((text) => text !== '')
        .join('\n\n')
  }
}

/** Breaks lines at spaces. A longer word, such as a link, stays whole. */
function wrapped(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > lineLength) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line].join('\n')
}
