import { methodsOf } from '../../typescript/build/generate.ts'

const begin = 'OPERATIONS: Dict[str, Tuple[str, str, str, str]] = {\n'

/** The Python client with the table of operations as the published documents have them now. */
export function withOperations(program: string): string {
  const at = program.indexOf(begin)
  if (at === -1) throw new Error('The Python client has no table of operations.')
  const rows = [...methodsOf()].map(([id, { row, summary }]) => {
    const { method, path, list, form, events, open } = row
    const more = list ? `list:${list}` : form ? 'form' : events ? 'events' : open ? 'open' : ''
    const named = path.replace(/\{(\w+)\}/g, (_, name: string) => `{${snake(name)}}`)
    return `    ${text(snake(id))}: (${[method, named, `${summary}.`, more].map(text).join(', ')}),\n`
  })
  return `${program.slice(0, at)}${begin}${rows.join('')}}\n`
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Text of Python: that of JSON is one. */
function text(value: string): string {
  return JSON.stringify(value)
}
