import { Name, type Resolved } from '../../syntax/objects.ts'
import { type ColourSpace, deviceCmyk, deviceGray, deviceRgb } from '../colour-spaces.ts'
import type { Colour } from '../graphics-state.ts'
import type { Run } from '../run.ts'
import type { Operator, Operators } from './operator.ts'

type Painting = 'fill' | 'stroke'

/** Colours (8.6.8): the small letter is for filling, the capital for stroking. */
export const colourOperators: Operators = {
  g: device('fill', deviceGray),
  G: device('stroke', deviceGray),
  rg: device('fill', deviceRgb),
  RG: device('stroke', deviceRgb),
  k: device('fill', deviceCmyk),
  K: device('stroke', deviceCmyk),
  cs: (run, [name]) => {
    run.state.fill = firstColour(run.materials.colourSpace(name, run.resources))
  },
  CS: (run, [name]) => {
    run.state.stroke = firstColour(run.materials.colourSpace(name, run.resources))
  },
  sc: colour('fill'),
  scn: colour('fill'),
  SC: colour('stroke'),
  SCN: colour('stroke'),
}

function device(painting: Painting, space: ColourSpace): Operator {
  return (run, _, numbers) => {
    run.state[painting] = { space, components: numbers, pattern: null }
  }
}

/** The colour that a space begins with (8.6.3). */
function firstColour(space: ColourSpace | undefined): Colour {
  if (space?.kind === 'cmyk') return { space, components: [0, 0, 0, 1], pattern: null }
  const value = space?.kind === 'inks' ? 1 : 0
  return { space, components: Array.from({ length: space?.components ?? 0 }, () => value), pattern: null }
}

function colour(painting: Painting): Operator {
  return (run, operands, numbers) => {
    const { space } = run.state[painting]
    const last = operands.at(-1)
    if (last instanceof Name)
      run.state[painting] = { space, components: numbers.slice(0, -1), pattern: patternNamed(run, last) }
    else run.state[painting] = { space, components: numbers, pattern: null }
  }
}

function patternNamed(run: Run, name: Name): Resolved {
  return run.materials.file.resolve(run.resource('Pattern', name.value))
}
