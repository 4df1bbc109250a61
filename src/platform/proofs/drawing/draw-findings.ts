import type { Page } from '../../../documents/page-writer.ts'
import { layOut, type LaidText } from '../../../documents/text/lay-out.ts'
import { drawDisc } from './draw-artwork-page.ts'
import { placeInWords, type ListedFinding } from './listed-findings.ts'
import { contentWidth, ink, light, margin, softInk, weighty } from './style.ts'

/** A piece of the list, with the height that it takes. Sheets take as many as they have room for. */
export type Block = { height: number; draw: (sheet: Page, top: number) => void }

const indent = 24

/** The findings as blocks: a heading over each kind, and the findings that must be signed for in larger letters. */
export function findingBlocks(toSign: readonly ListedFinding[], toSee: readonly ListedFinding[]): Block[] {
  return [
    ...headed('Needs your signature', 'Approving this proof accepts these findings as they are.', toSign, 9),
    ...headed('Worth a look', 'These do not stop production.', toSee, 7.5),
  ]
}

const headingHeight = 27

/** The heading stays with the first finding. */
function headed(title: string, explained: string, findings: readonly ListedFinding[], size: number): Block[] {
  const [first, ...others] = findings.map((finding) => block(finding, size))
  if (!first) return []
  return [
    {
      height: headingHeight + first.height,
      draw: (sheet, top) => {
        drawHeading(sheet, top, title, explained)
        first.draw(sheet, top - headingHeight)
      },
    },
    ...others,
  ]
}

function drawHeading(sheet: Page, top: number, title: string, explained: string): void {
  const right = margin + contentWidth
  const style = { size: 11, weight: 'bold', colour: ink } as const
  const titled = sheet.text(title, [margin, top - 24, right, top - 5], style)
  const after = margin + titled.width + 8
  sheet.text(explained, [after, top - 24, right, top - 7.2], { size: 8, colour: softInk })
}

function block(finding: ListedFinding, size: number): Block {
  const width = contentWidth - indent
  const style = { size, lineHeight: 1.35 }
  const told = inWords(finding)
  const laid: LaidText = layOut(told, style, { width })
  return {
    height: laid.height + 5,
    draw: (sheet, top) => {
      const colour = finding.severity === 'sign_off' ? weighty : light
      drawDisc(sheet, finding.number, margin + 8, top - (laid.lineHeight / 2 + 1), colour)
      sheet.text(told, [margin + indent, top - laid.height - 1, margin + contentWidth, top - 1], {
        ...style,
        colour: ink,
      })
    },
  }
}

/** A file can name a font as it likes, so that what is told is bounded. */
function inWords(finding: ListedFinding): string {
  const words = `${placeInWords(finding)}: ${finding.message} ${finding.fix}`
  return words.length > 600 ? `${words.slice(0, 600)}…` : words
}
