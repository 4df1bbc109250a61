import { escapeHtml } from '../../../vocabulary/escape-html.ts'
import {
  closingOf,
  oneLineOf,
  sandboxSentence,
  subjectOf,
  type Block,
  type Item,
  type Letter,
  type Sender,
  type Total,
} from './letter.ts'

/*
 * The letter as HTML for mail programs: tables for layout, styles at each element, because many programs drop a style sheet.
 * What the sheet adds is for those that show dark pages and narrow ones. Nothing is loaded from anywhere.
 */

const fonts = `-apple-system,'Segoe UI',Roboto,'Noto Sans','Helvetica Neue',Arial,sans-serif`
const light = { page: '#f3f4f6', card: '#ffffff', text: '#1f2328', quiet: '#57606a', line: '#d8dee4' }
const dark = { page: '#0d1117', card: '#161b22', text: '#e6edf3', quiet: '#9da7b1', line: '#3a424b' }

const sheet = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
a{color:inherit}
@media (prefers-color-scheme:dark){
.page{background:${dark.page}!important}
.card{background:${dark.card}!important;border-color:${dark.line}!important}
.text{color:${dark.text}!important}
.quiet{color:${dark.quiet}!important}
.line{border-color:${dark.line}!important}
}
@media (max-width:480px){
.pad{padding-left:20px!important;padding-right:20px!important}
}`.replaceAll('\n', '')

export function letterHtml(letter: Letter, sender: Sender): string {
  return [
    '<!doctype html><html lang="en" dir="ltr"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escaped(subjectOf(letter, sender))}</title><style>${sheet}</style></head>`,
    `<body class="page" style="margin:0;padding:0;background:${light.page};-webkit-text-size-adjust:100%">`,
    // Seen in the list of mails only. The blanks keep the first words of the mail out of it.
    `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escaped(letter.preheader)}${'&#8199;&#65279;'.repeat(40)}</div>`,
    `<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:${light.page}">`,
    '<tr><td align="center" style="padding:24px 8px">',
    `<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;table-layout:fixed;background:${light.card};border:1px solid ${light.line};border-radius:8px">`,
    `<tr><td style="height:6px;line-height:6px;font-size:0;background:${sender.color};border-radius:7px 7px 0 0">&nbsp;</td></tr>`,
    row(head(sender), '24px 32px 0'),
    ...(sender.isSandbox ? [row(paragraph(sandboxSentence, 'quiet', 14), '12px 32px 0')] : []),
    row(
      `<h1 class="text" dir="auto" style="margin:0;${type(light.text, 24, 1.3)};font-weight:600;overflow-wrap:anywhere">${escaped(letter.title)}</h1>`,
      '20px 32px 0',
    ),
    ...letter.blocks.map((block) => row(blockHtml(block, sender), '16px 32px 0')),
    row(
      `<div class="line" style="border-top:1px solid ${light.line};padding-top:16px">${paragraph(closingOf(sender), 'quiet', 13)}${siteLink(sender)}</div>`,
      '28px 32px 24px',
    ),
    '</table></td></tr></table></body></html>\n',
  ].join('\n')
}

function row(content: string, padding: string): string {
  return `<tr><td class="pad" style="padding:${padding}">${content}</td></tr>`
}

function type(color: string, size: number, height = 1.5): string {
  return `color:${color};font-family:${fonts};font-size:${size}px;line-height:${height}`
}

function paragraph(text: string, tone: 'text' | 'quiet', size = 16): string {
  return `<p class="${tone}" dir="auto" style="margin:0;${type(light[tone], size)};overflow-wrap:anywhere">${escaped(text)}</p>`
}

/** A logo stands on white, whatever the mail's background, since most are drawn for white. */
function head({ name, logo }: Sender): string {
  return logo
    ? `<img src="cid:${logo.cid}" alt="${escaped(name)}" height="40" style="display:inline-block;height:40px;max-width:240px;padding:6px;background:#ffffff;border-radius:4px">`
    : `<p class="text" dir="auto" style="margin:0;${type(light.text, 16)};font-weight:600;overflow-wrap:anywhere">${escaped(name)}</p>`
}

function siteLink({ siteUrl }: Sender): string {
  if (siteUrl === null) return ''
  return `<p class="quiet" style="margin:4px 0 0;${type(light.quiet, 13)};overflow-wrap:anywhere"><a href="${escaped(siteUrl)}" class="quiet" style="color:${light.quiet}">${escaped(new URL(siteUrl).host)}</a></p>`
}

function blockHtml(block: Block, sender: Sender): string {
  switch (block.is) {
    case 'text':
      return block.isQuiet ? paragraph(block.text, 'quiet', 14) : paragraph(block.text, 'text')
    case 'button':
      return button(block, sender)
    case 'picture':
      return `<img src="cid:${block.cid}" alt="${escaped(block.says)}" width="534" class="line" style="display:block;width:100%;max-width:534px;height:auto;background:#ffffff;border:1px solid ${light.line}">`
    case 'facts':
      return table(
        block.rows.map(([name, value]) => cells([cell(name, 'quiet', 'padding-right:16px;width:38%'), cell(value)])),
      )
    case 'address':
      return `${paragraph(block.title, 'quiet', 14)}<p class="text" dir="auto" style="margin:4px 0 0;${type(light.text, 16)};overflow-wrap:anywhere">${block.lines.map(escaped).join('<br>')}</p>`
    case 'items':
      return table([...block.items.map(itemRow), ...block.totals.map(totalRow)])
  }
}

/** The address stands below the button too, for who cannot press it. */
function button({ label, url }: { label: string; url: string }, { color, textColor }: Sender): string {
  const style = `display:inline-block;padding:12px 22px;background:${color};${type(textColor, 16)};font-weight:600;text-decoration:none;border-radius:6px;border:1px solid ${light.quiet}`
  const link = `<a href="${escaped(url)}" style="${style}">${escaped(label)}</a>`
  // A signed link fills a page. The text of the mail has it.
  if (url.length > 200) return link
  return `${link}<p class="quiet" style="margin:12px 0 0;${type(light.quiet, 13)};overflow-wrap:anywhere;word-break:break-all">Or open this address: <a href="${escaped(url)}" class="quiet" style="color:${light.quiet}">${escaped(url)}</a></p>`
}

function table(rows: readonly string[]): string {
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;table-layout:fixed">${rows.join('')}</table>`
}

function cells(content: readonly string[]): string {
  return `<tr>${content.join('')}</tr>`
}

function cell(text: string, tone: 'text' | 'quiet' = 'text', style = ''): string {
  return `<td class="${tone}" dir="auto" valign="top" style="padding:3px 0;${type(light[tone], 15)};overflow-wrap:anywhere;${style}">${escaped(text)}</td>`
}

function itemRow({ name, details, quantity, amount }: Item): string {
  const under = details.map((detail) => paragraph(detail, 'quiet', 14)).join('')
  const inner = `padding:10px 0;border-bottom:1px solid ${light.line}`
  return cells([
    `<td class="line" valign="top" style="${inner};padding-right:12px"><p class="text" style="margin:0;${type(light.text, 15)};overflow-wrap:anywhere">${quantity.toLocaleString('en')}&nbsp;× <bdi>${escaped(name)}</bdi></p>${under}</td>`,
    `<td class="text line" valign="top" align="right" style="${inner};width:${amount === null ? 0 : 104}px;${type(light.text, 15)};overflow-wrap:anywhere">${escaped(amount ?? '')}</td>`,
  ])
}

function totalRow({ name, amount, isSum }: Total): string {
  const tone = isSum ? 'text' : 'quiet'
  const weight = isSum ? 'font-weight:600;padding-top:8px' : 'padding-top:4px'
  return cells([
    `<td class="${tone}" align="right" style="${type(light[tone], 15)};${weight};padding-right:12px">${escaped(name)}</td>`,
    `<td class="${tone}" align="right" style="${type(light[tone], 15)};${weight};overflow-wrap:anywhere">${escaped(amount)}</td>`,
  ])
}

function escaped(text: string): string {
  return escapeHtml(oneLineOf(text))
}
