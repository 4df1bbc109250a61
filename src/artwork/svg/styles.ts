import type { SvgElement } from './parse-svg.ts'

/** Properties by name. */
export type Declarations = ReadonlyMap<string, string>

/** A rule of a style sheet, for one selector. */
type Rule = { selector: string; declarations: Declarations }

/** `fill: red; stroke: none` */
export function declarationsIn(text: string): Declarations {
  const declarations = new Map<string, string>()
  for (const piece of text.split(';')) {
    const colon = piece.indexOf(':')
    if (colon > 0) declarations.set(piece.slice(0, colon).trim().toLowerCase(), piece.slice(colon + 1).trim())
  }
  return declarations
}

/** The rules of all style sheets of a document whose selectors are simple: an element, a class or an id. */
export function rulesIn(root: SvgElement): Rule[] {
  const rules: Rule[] = []
  for (const sheet of elementsNamed('style', root)) {
    const css = sheet.children.filter((child) => typeof child === 'string').join('')
    for (const [, selectors, body] of css.matchAll(/([^{}]{1,2000})\{([^{}]{0,5000})\}/g))
      for (const selector of selectors!.split(','))
        if (/^\s*[.#]?[\w-]+\s*$/.test(selector))
          rules.push({ selector: selector.trim(), declarations: declarationsIn(body!) })
  }
  return rules
}

function* elementsNamed(name: string, element: SvgElement): Generator<SvgElement> {
  if (element.name === name) yield element
  for (const child of element.children) if (typeof child !== 'string') yield* elementsNamed(name, child)
}

/** What an element says of its own looks: attributes first, then style sheets, then its style attribute. */
export function styleFinder(rules: readonly Rule[]): (element: SvgElement) => Declarations {
  const bySelector = new Map<string, Declarations>()
  for (const { selector, declarations } of rules)
    bySelector.set(selector, new Map([...(bySelector.get(selector) ?? []), ...declarations]))
  return ({ name, attributes }) => {
    const selectors = [
      name,
      ...(attributes.get('class') ?? '').split(/\s+/).map((each) => `.${each}`),
      `#${attributes.get('id') ?? ''}`,
    ]
    return new Map([
      ...attributes,
      ...selectors.flatMap((selector) => [...(bySelector.get(selector) ?? [])]),
      ...declarationsIn(attributes.get('style') ?? ''),
    ])
  }
}
