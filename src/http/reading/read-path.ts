import type { Parameter } from '../../contract/parameters.ts'
import { Refusal } from '../../contract/refusal.ts'
import { malformedDetail, type Values } from './read-query.ts'

/** Reads the named segments of a path in order. The first malformed one answers its own code. */
export function pathReader<Name extends string>(
  names: readonly Name[],
  parameters: Readonly<Record<Name, Parameter<unknown>>>,
): (texts: Readonly<Record<string, string | undefined>>) => Values {
  return (texts) => {
    const values: Values = {}
    for (const name of names) {
      const parameter = parameters[name]
      const text = texts[name]
      // Only the call of a tool can leave it out.
      if (text === undefined) throw new Refusal(parameter.malformed, `The path parameter ${name} is required.`)
      const value = parameter.read(text)
      if (value === undefined) throw new Refusal(parameter.malformed, malformedDetail('path', name, parameter))
      values[name] = value
    }
    return values
  }
}
