import type { HostileFile } from './hostile-file.ts'

const namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'

/** SVGs that fetch, run, grow or go in circles. */
export const hostileSvgs: readonly HostileFile[] = [
  svg('entities that grow without end', `<text>&i;</text>`, `<!DOCTYPE svg [<!ENTITY a "lol">${laughs()}]>`),
  svg('an entity that is itself', '<text>&a;</text>', '<!DOCTYPE svg [<!ENTITY a "&a;">]>'),
  svg('a file as entity', '<text>&a;</text>', '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>'),
  svg('an entity from a parameter', '<text/>', '<!DOCTYPE svg [<!ENTITY % a SYSTEM "http://127.0.0.1:1/x"> %a;]>'),
  svg('a picture from a file', '<image href="file:///etc/passwd" width="9" height="9"/>'),
  svg('a picture from this machine', '<image xlink:href="http://127.0.0.1:1/x.png" width="9" height="9"/>'),
  svg('a picture from a path', '<image href="../../../../etc/passwd" width="9" height="9"/>'),
  svg(
    'a style sheet from elsewhere',
    '<style>@import url("http://127.0.0.1:1/x.css"); * { fill: url(http://x/#a) }</style>',
  ),
  svg('a script', '<script>while (true) {}</script><rect onload="while (true) {}" width="9" height="9"/>'),
  svg('a foreign object', '<foreignObject width="9" height="9"><iframe src="file:///etc/passwd"/></foreignObject>'),
  svg('a use of itself', '<g id="a"><use href="#a"/><use href="#a"/></g>'),
  svg('a use of ten, and so on', `<rect id="u0" width="1" height="1"/>${uses()}<use href="#u12"/>`),
  svg(
    'a pattern of itself',
    '<pattern id="p" width="1" height="1"><rect fill="url(#p)" width="9" height="9"/></pattern><rect fill="url(#p)" width="9" height="9"/>',
  ),
  svg(
    'a mask of itself',
    '<mask id="m"><rect mask="url(#m)" width="9" height="9"/></mask><rect mask="url(#m)" width="9" height="9"/>',
  ),
  svg(
    'a blur of everything',
    '<filter id="f" x="-9e9" y="-9e9" width="9e9" height="9e9"><feGaussianBlur stdDeviation="9e9"/></filter><rect filter="url(#f)" width="9" height="9"/>',
  ),
  svg(
    'a hundred filters',
    `<filter id="f">${'<feTurbulence numOctaves="9999"/>'.repeat(100)}</filter><rect filter="url(#f)" width="9" height="9"/>`,
  ),
  svg('a group in a group, a hundred thousand times', `${'<g>'.repeat(100_000)}${'</g>'.repeat(100_000)}`),
  svg('an element that is not closed', '<g><g><g'),
  svg('a million attributes', `<rect ${Array.from({ length: 200_000 }, (_, index) => `a${index}=""`).join(' ')}/>`),
  svg('a path of a million points', `<path d="M0 0${' 1 1'.repeat(1_000_000)}"/>`),
  svg('dashes without end', '<path d="M0 0H1000000" stroke="red" stroke-dasharray="0.00001"/>'),
  svg('a picture in a picture in a picture', pictureInPicture(8)),
  svg('a picture that is giant', `<image width="9" height="9" href="data:image/png;base64,${giantPng()}"/>`),
  {
    name: 'an SVG of giant size',
    make: () => Buffer.from(`<svg ${namespaces} width="999999999" height="999999999"/>`),
  },
  {
    name: 'an SVG without area',
    make: () => Buffer.from(`<svg ${namespaces} width="0" height="-1" viewBox="0 0 0 0"/>`),
  },
  {
    name: 'an SVG of no known character',
    make: () => Buffer.concat([Buffer.from(`<svg ${namespaces}>`), Buffer.alloc(999, 0xff)]),
  },
]

function svg(name: string, content: string, before = ''): HostileFile {
  return { name, make: () => Buffer.from(`${before}<svg ${namespaces} width="99" height="99">${content}</svg>`) }
}

/** Ten to the power of eight. */
function laughs(): string {
  return Array.from('bcdefghi', (name, index) => `<!ENTITY ${name} "${`&${'abcdefgh'[index]};`.repeat(10)}">`).join('')
}

function uses(): string {
  const tens = Array.from(
    { length: 12 },
    (_, index) => `<g id="u${index + 1}">${`<use href="#u${index}"/>`.repeat(10)}</g>`,
  )
  return tens.join('')
}

function pictureInPicture(depth: number): string {
  if (depth === 0) return '<rect width="9" height="9"/>'
  const inner = Buffer.from(`<svg ${namespaces}>${pictureInPicture(depth - 1)}</svg>`).toString('base64')
  return `<image width="9" height="9" href="data:image/svg+xml;base64,${inner}"/>`
}

/** The header of a PNG of 60,000 pixels by as many. */
function giantPng(): string {
  return Buffer.from('89504e470d0a1a0a0000000d494844520000ea600000ea600802000000', 'hex').toString('base64')
}
