import type { PageFindings } from '../findings/page-findings.ts'
import type { SvgElement } from './parse-svg.ts'

/** What is drawn. Everything else, such as scripts, foreign markup and the notes of editors, is left out. */
const drawn = new Set(
  (
    'svg g defs symbol use switch a path rect circle ellipse line polyline polygon text tspan textPath image clipPath ' +
    'mask pattern linearGradient radialGradient stop marker style filter feBlend feColorMatrix feComponentTransfer ' +
    'feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA ' +
    'feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight ' +
    'feSpecularLighting feSpotLight feTile feTurbulence'
  ).split(' '),
)

/** Pictures that may stand inside a document. Not SVG: that would be a document of its own. */
export const pictureInside = /^\s*data:image\/(?:png|jpe?g|webp|gif|tiff);base64,/i

/**
 * A copy that says only what is drawn and refers to nothing outside itself; what was left out is told.
 * @param root of a parsed document
 */
export function cleanSvg(root: SvgElement, findings: PageFindings): SvgElement {
  return cleaned(root, findings) ?? { name: 'svg', attributes: new Map(), children: [] }
}

function cleaned(element: SvgElement, findings: PageFindings): SvgElement | null {
  const { name } = element
  if (!drawn.has(name)) {
    if (name === 'script') findings.add('active_content', { subject: 'scripts' })
    // Illustrator keeps its own document in one, which only Illustrator is to read.
    if (name === 'foreignObject' && !element.attributes.has('requiredExtensions'))
      findings.add('active_content', { subject: 'foreign objects' })
    return null
  }
  const attributes = new Map<string, string>()
  for (const [key, value] of element.attributes) {
    const kept = attribute(element, key, value, findings)
    if (kept !== null) attributes.set(key, kept)
  }
  const children = element.children.flatMap((child) => {
    if (typeof child !== 'string') return cleaned(child, findings) ?? []
    return name === 'style' ? styleSheet(child, findings) : child
  })
  return { name, attributes, children }
}

function attribute({ name }: SvgElement, key: string, value: string, findings: PageFindings): string | null {
  if (!/^[a-z][a-z\d-]*$/i.test(key) || key === 'base') return null
  if (/^on/i.test(key)) {
    findings.add('active_content', { subject: 'scripts' })
    return null
  }
  if (key === 'src' || key === 'href') return reference(name, value, findings)
  return withoutAddresses(value, findings)
}

function reference(name: string, value: string, findings: PageFindings): string | null {
  const address = value.trim()
  if (address.startsWith('#')) return address
  if ((name === 'image' || name === 'feImage') && pictureInside.test(address)) return address
  if (/^javascript:/i.test(address)) findings.add('active_content', { subject: 'scripts' })
  // A link draws nothing.
  else if (name !== 'a' && address !== '') findings.add('external_reference', { subject: told(address) })
  return null
}

function styleSheet(text: string, findings: PageFindings): string {
  const rules = plain(text).replaceAll(/@font-face\s*\{[^{}]*\}/gi, (rule) => {
    withoutAddresses(rule, findings)
    return ''
  })
  const own = rules.replaceAll(/@import\s+([^;{}]*);?/gi, (_, address: string) => {
    findings.add('external_reference', { subject: told(address) })
    return ''
  })
  return withoutAddresses(own, findings)
}

/** Of `url(…)` only the document's own parts and data stay. */
function withoutAddresses(text: string, findings: PageFindings): string {
  if (!/url|\\|image/i.test(text)) return text
  return plain(text).replaceAll(
    /(?:url|image|image-set|src)\s*\(\s*(["']?)([^"')]*)\1\s*\)?/gi,
    (whole, _, address: string) => {
      if (address.startsWith('#')) return whole
      if (!/^data:/i.test(address)) findings.add('external_reference', { subject: told(address) })
      return 'none'
    },
  )
}

/** Comments and escapes could hide an address. */
function plain(css: string): string {
  return css
    .replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ')
    .replaceAll(/\\([\da-f]{1,6})\s?/gi, (_, code: string) =>
      String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0xfffd)),
    )
    .replaceAll('\\', '')
}

/** Data may be as long as the file. */
function told(address: string): string {
  return address.replaceAll(/^\s*(?:url\()?["']?|["')\s]+$/gi, '').slice(0, 80) || 'an address'
}
