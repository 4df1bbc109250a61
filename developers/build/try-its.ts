import { kebab, operationsOf, type Json, type Published } from './documents.ts'

/** What the form of an operation's page is made of. */
export type TryIt = {
  method: string
  path: string
  fields: { name: string; in: 'path' | 'query'; required: boolean; says: string; example: string }[]
  /** undefined = it takes none; a form is told as `name=value` lines joined by & */
  body: { mediaType: string; example: string } | undefined
  needsToken: boolean
}

/** A browser is led to the sign-in, and a stream never ends: neither is for a form. */
const notTried = new Set(['authorize', 'streamEvents'])

/** By the slug of the operation. */
export function tryIts(documents: readonly Published[]): Record<string, TryIt> {
  const operations = operationsOf(documents).filter(({ id }) => !notTried.has(id))
  return Object.fromEntries(
    operations.map(({ id, method, path, object, parameters }) => {
      const [mediaType, content] = Object.entries(object.requestBody?.content ?? {})[0] ?? []
      const fields = parameters
        .filter((parameter) => parameter.in !== 'header')
        .map(({ name, in: place, required = place === 'path', description = '', example = '' }) => ({
          name,
          in: place as 'path' | 'query',
          required,
          says: description,
          example: plain(example),
        }))
      const isOpen = object.security?.length === 0 || object.security?.some((each) => Object.keys(each).length === 0)
      return [
        kebab(id),
        {
          method,
          path,
          fields,
          body:
            mediaType === undefined ? undefined : { mediaType, example: written(mediaType, content?.example ?? null) },
          needsToken: !isOpen,
        },
      ]
    }),
  )
}

function written(mediaType: string, example: Json): string {
  if (mediaType !== 'application/x-www-form-urlencoded') return JSON.stringify(example, null, 2)
  return new URLSearchParams(example as Record<string, string>).toString()
}

function plain(value: Json): string {
  return Array.isArray(value) ? value.map(plain).join(',') : String(value)
}
