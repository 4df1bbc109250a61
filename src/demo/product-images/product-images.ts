import { brands } from '../specimens/brands.ts'
import { specimen } from '../specimens/specimens.ts'
import { inkColor, printedPage } from '../specimens/svg-canvas.ts'
import { printedGoods } from './printed-goods.ts'
import { stockGoods } from './stock-goods.ts'
import { subjectOf, type Subject } from './image-of-product.ts'
import { picture } from './stage.ts'

const goodsColors: Readonly<Record<string, readonly [color: string, isDark: boolean]>> = {
  Black: ['#24262b', true],
  White: ['#f6f5f1', false],
  Navy: ['#22345c', true],
  Red: ['#b3263a', true],
  'Heather Gray': ['#a9adb3', false],
  Gray: ['#8d9298', true],
  Forest: ['#24513a', true],
  Green: ['#2e6b4a', true],
  Blue: ['#2456a6', true],
  Tan: ['#c8a27a', false],
}

/** The image behind an `image_path` of the demo data; undefined = the path is another's. */
export function demoProductImage(imagePath: string): Promise<Uint8Array> | undefined {
  const subject = subjectOf(imagePath)
  return subject && drawProductImage(subject)
}

/** @returns a JPEG of 1600 by 1200 pixels; the same subject gives the same bytes */
export async function drawProductImage(subject: Subject): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(still(subject)))
    .flatten()
    .jpeg({ quality: 82 })
    .toBuffer()
}

function still(subject: Subject): string {
  const brand = brands[subject.brand]
  // The surroundings change with the view.
  const tint = inkColor(
    subject.view === 'aside' ? brand.accent.map((part) => part * 0.4) : brand.pale.map((part) => part * 2),
  )
  const { content, focus } = 'print' in subject ? printStill(subject, tint) : goodsStill(subject, tint)
  return picture(content, subject.view === 'closer' ? { times: 2.1, x: focus[0], y: focus[1] } : undefined)
}

function printStill({ print, brand }: Extract<Subject, { print: unknown }>, tint: string) {
  const design = specimen(print, brand)
  const pages = design.pages.slice(0, 8).map((_, page) => printedPage(design, page))
  const { draw, focus } = printedGoods[print]
  return { content: draw(pages, tint), focus }
}

function goodsStill({ goods, color: name, brand }: Extract<Subject, { goods: unknown }>, tint: string) {
  const [color, isDark] = goodsColors[name]!
  const { draw, focus } = stockGoods[goods]
  return { content: draw({ color, isDark, brand: brands[brand], tint }), focus }
}
