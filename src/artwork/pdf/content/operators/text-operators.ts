import type { Box } from '../../../../vocabulary/artwork.ts'
import { type Matrix, multiplied, transformed } from '../../geometry.ts'
import { isArray, Name, type PdfObject, PdfString } from '../../syntax/objects.ts'
import type { Font } from '../fonts.ts'
import { type GraphicsState, textStart } from '../graphics-state.ts'
import type { Run } from '../run.ts'
import type { Operators } from './operator.ts'
import { seePattern } from './patterns.ts'

/** Text (9.3, 9.4). */
export const textOperators: Operators = {
  BT: (run) => {
    run.text = textStart
  },
  Tc: (run, _, [spacing = 0]) => {
    run.state.characterSpacing = spacing
  },
  Tw: (run, _, [spacing = 0]) => {
    run.state.wordSpacing = spacing
  },
  Tz: (run, _, [percent = 100]) => {
    run.state.stretch = percent / 100
  },
  TL: (run, _, [leading = 0]) => {
    run.state.leading = leading
  },
  Ts: (run, _, [rise = 0]) => {
    run.state.rise = rise
  },
  Tr: (run, _, [mode = 0]) => {
    run.state.renderMode = mode
  },
  Tf: (run, [name], numbers) => {
    run.state.font = run.materials.font(name instanceof Name ? run.resource('Font', name.value) : undefined)
    run.state.fontSize = numbers[1] ?? 0
  },
  Td: (run, _, [x = 0, y = 0]) => moveLine(run, x, y),
  TD: (run, _, [x = 0, y = 0]) => {
    run.state.leading = -y
    moveLine(run, x, y)
  },
  Tm: (run, _, [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]) => {
    const matrix: Matrix = [a, b, c, d, e, f]
    run.text = { matrix, line: matrix }
  },
  'T*': nextLine,
  Tj: (run, [string]) => show(run, [string]),
  TJ: (run, [array]) => show(run, isArray(array) ? array : []),
  "'": (run, [string]) => {
    nextLine(run)
    show(run, [string])
  },
  '"': (run, operands, [wordSpacing = 0, characterSpacing = 0]) => {
    Object.assign(run.state, { wordSpacing, characterSpacing })
    nextLine(run)
    show(run, [operands[2]])
  },
}

function moveLine(run: Run, x: number, y: number): void {
  const line = multiplied([1, 0, 0, 1, x, y], run.text.line)
  run.text = { matrix: line, line }
}

function nextLine(run: Run): void {
  moveLine(run, 0, -run.state.leading)
}

/** Each code is measured. */
const workPerCode = 6

/** What a string of text covers along its line: from the first mark on the page to the last, and where the next goes. */
type Extent = { from: number; to: number; end: number }

/** Shows strings, with numbers between them that move the next one back (TJ). */
function show(run: Run, parts: readonly (PdfObject | undefined)[]): void {
  const { state } = run
  const { font } = state
  const extent = measured(run, parts)
  const start = run.text.matrix
  const vertical = font?.vertical === true
  const end: Matrix = vertical ? [1, 0, 0, 1, 0, extent.end] : [1, 0, 0, 1, extent.end, 0]
  run.text = { ...run.text, matrix: multiplied(end, start) }
  if (extent.to === extent.from || state.renderMode === 3 || state.renderMode === 7) return
  const onPage = multiplied(start, state.matrix)
  const box = transformed(lineBox(state, extent, vertical), onPage)
  const fills = state.renderMode % 4 !== 1
  const strokes = state.renderMode % 4 === 1 || state.renderMode % 4 === 2
  if (fills) seePattern(run, state.fill, box)
  run.mark({
    kind: 'text',
    box,
    transparent: run.transparent || (fills && state.fillAlpha < 1) || (strokes && state.strokeAlpha < 1),
    size: Math.abs(state.fontSize) * (font?.sizeFactor ?? 1) * heightScale(onPage),
    font,
    fill: fills ? run.paint(state.fill, false) : undefined,
    stroke: strokes ? run.paint(state.stroke, true) : undefined,
  })
}

/** Widths, spacings and moves (9.4.4), with those of blanks at both ends left out of what is covered. */
function measured(run: Run, parts: readonly (PdfObject | undefined)[]): Extent {
  const { font, fontSize, characterSpacing, wordSpacing, stretch } = run.state
  const vertical = font?.vertical === true
  const across = vertical ? 1 : stretch
  let at = 0
  let from: number | undefined
  let to = 0
  for (const part of parts) {
    if (typeof part === 'number') at -= (part / 1000) * fontSize * across
    if (!(part instanceof PdfString)) continue
    run.materials.budget.spend(part.bytes.length * workPerCode)
    for (const code of codesOf(part.bytes, font)) {
      const width = vertical ? -fontSize : (font?.width(code) ?? 0.5) * fontSize * across
      if (font === undefined || !font.isBlank(code)) {
        from = from === undefined ? Math.min(at, at + width) : Math.min(from, at, at + width)
        to = Math.max(to, at, at + width)
      }
      const spacing = characterSpacing + (code === 32 && font?.bytesPerCode !== 2 ? wordSpacing : 0)
      at += width + spacing * across
    }
  }
  return { from: from ?? 0, to: from === undefined ? 0 : to, end: at }
}

function* codesOf(bytes: Uint8Array, font: Font | undefined): Generator<number> {
  if (font?.bytesPerCode !== 2) yield* bytes
  else for (let at = 0; at + 1 < bytes.length; at += 2) yield bytes[at]! * 256 + bytes[at + 1]!
}

function lineBox({ font, fontSize, rise }: GraphicsState, { from, to }: Extent, vertical: boolean): Box {
  if (vertical) return [-fontSize / 2, from, fontSize / 2, to]
  const top = (font?.ascent ?? 0.7) * fontSize + rise
  const bottom = (font?.descent ?? -0.2) * fontSize + rise
  return [from, Math.min(top, bottom), to, Math.max(top, bottom)]
}

/** How much larger text stands on its line; slanting it makes no difference. */
function heightScale([a, b, c, d]: Matrix): number {
  const along = Math.hypot(a, b)
  return along === 0 ? 0 : Math.abs(a * d - b * c) / along
}
