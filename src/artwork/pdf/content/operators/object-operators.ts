import type { Box } from '../../../../vocabulary/artwork.ts'
import { intersection, matrixFrom, multiplied, scales, transformed } from '../../geometry.ts'
import { Dict, Name, type PdfObject, Stream } from '../../syntax/objects.ts'
import type { Run } from '../run.ts'
import type { Operators } from './operator.ts'
import { seePattern, seeShading } from './patterns.ts'

const unitSquare: Box = [0, 0, 1, 1]
const pointsPerInch = 72

/** Images, forms, shadings, and content that belongs to a layer (8.8 to 8.11). */
export const objectOperators: Operators = {
  Do: (run, [name]) => {
    if (!(name instanceof Name) || run.hidden) return
    const object = run.materials.file.resolve(run.resource('XObject', name.value))
    if (!(object instanceof Stream) || run.materials.layers.hides(object.dict.raw('OC'))) return
    if (object.dict.name('Subtype') === 'Image') seeImage(run, object, name.value)
    if (object.dict.name('Subtype') === 'Form') drawForm(run, object)
  },
  BI: (run, [image]) => {
    if (image instanceof Stream) seeImage(run, image, 'inline')
  },
  sh: (run, [name]) => {
    const shading = run.materials.file.resolve(name instanceof Name ? run.resource('Shading', name.value) : undefined)
    const { clip } = run.state
    if (clip !== undefined) seeShading(run, shading instanceof Stream ? shading.dict : asDict(shading), clip)
  },
  BMC: (run) => run.openMarked(false),
  BDC: (run, [tag, properties]) => {
    const layer = tag instanceof Name && tag.value === 'OC' ? propertyList(run, properties) : undefined
    run.openMarked(layer !== undefined && run.materials.layers.hides(layer))
  },
  EMC: (run) => run.closeMarked(),
}

function asDict(object: PdfObject): Dict | undefined {
  return object instanceof Dict ? object : undefined
}

function propertyList(run: Run, properties: PdfObject | undefined): PdfObject | undefined {
  return properties instanceof Name ? run.resource('Properties', properties.value) : properties
}

function seeImage(run: Run, stream: Stream, name: string): void {
  const { state } = run
  const image = run.materials.image(stream, run.resources)
  const box = transformed(unitSquare, state.matrix)
  const size = scales(state.matrix)
  if (image.stencil) seePattern(run, state.fill, box)
  run.mark({
    kind: 'image',
    box,
    transparent: run.transparent || state.fillAlpha < 1 || image.transparent,
    image,
    name,
    ppi: Math.min(pixelsPerInch(image.width, size.x), pixelsPerInch(image.height, size.y)),
    paint: image.stencil ? run.paint(state.fill, false) : undefined,
  })
}

function pixelsPerInch(pixels: number, points: number): number {
  return points === 0 ? Infinity : pixels / (points / pointsPerInch)
}

/** A form is drawn in the state around it, within its own box (8.10). */
function drawForm(run: Run, form: Stream): void {
  const { state } = run
  const { dict } = form
  const matrix = multiplied(matrixFrom(dict.numbers('Matrix')), state.matrix)
  const corners = dict.numbers('BBox')
  const box = corners?.length === 4 ? transformed(corners as unknown as Box, matrix) : undefined
  const clip = box && state.clip ? intersection(state.clip, box) : state.clip
  if (clip === undefined) return
  const group = dict.dict('Group')
  if (group?.name('S') === 'Transparency') {
    const space = run.materials.colourSpace(group.raw('CS'), run.resources)
    run.mark({ kind: 'group', box: clip, transparent: run.transparent || state.fillAlpha < 1, space })
  }
  run.draw(form, run, { ...state, matrix, clip })
}
