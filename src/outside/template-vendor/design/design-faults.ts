import { lineHeightOfTexts, type Area, type Art, type Chosen, type Design, type Inks, type Texts } from './design.ts'

/** More ink than this does not dry on uncoated paper. */
const inksMax = 260
const textPointsMin = 5

/** What is wrong with a design, as sentences; none = every value that its variables take can be drawn. */
export function designFaults(design: Design): string[] {
  const { trim, bleed, safe, variables, pictures = [], pages } = design
  const known = new Map(variables.map((variable) => [variable.name, variable]))
  const used = new Set<string>()
  const faults: string[] = []
  const demand = (isRight: boolean, fault: string): void => void (isRight || faults.push(fault))

  demand(known.size === variables.length, 'Two variables have one name.')
  demand(pages.length > 0, 'It has no pages.')
  for (const [index, arts] of pages.entries()) {
    for (const art of arts) check(art, `page ${index + 1}`)
  }
  for (const name of known.keys()) demand(used.has(name), `The variable ${name} is not used.`)
  return faults

  function check(art: Art, where: string): void {
    switch (art.draw) {
      case 'rectangle':
        checkArea(art.area, -bleed, where)
        return checkInks(art.fill, where)
      case 'path':
        if (art.fill) checkInks(art.fill, where)
        if (art.line) checkInks(art.line.inks, where)
        return demand(art.fill !== undefined || art.line !== undefined, `A path on ${where} is not drawn.`)
      case 'picture':
        demand(pictures.includes(art.picture), `The picture ${art.picture} on ${where} is missing.`)
        return checkArea(art.area, -bleed, where)
      case 'texts':
        return checkTexts(art, where)
      case 'qr':
        demand(art.area[2] === art.area[3], `The code on ${where} is not square.`)
        use(art.value, where)
        checkInks(art.inks, where)
        return checkArea(art.area, safe, where)
      case 'choice':
        checkList(art.by, art.of, where)
        return Object.values(art.of).forEach((arts) => arts.forEach((each) => check(each, where)))
      case 'condition':
        use(art.value, where)
        return [...art.given, ...art.blank].forEach((each) => check(each, where))
    }
  }

  function checkTexts({ area, texts, turned = 0 }: Texts, where: string): void {
    checkArea(area, safe, where)
    let needed = 0
    for (const [index, each] of texts.entries()) {
      const { text, size, inks } = each
      if (typeof text === 'object' && 'value' in text) use(text.value, where)
      else if (typeof text === 'object') checkList(text.by, text.of, where)
      const [min, max] = typeof size === 'number' ? [size, size] : [size.min, size.max]
      demand(textPointsMin <= min && min <= max, `A text on ${where} has a wrong size.`)
      needed += (each.maxLines ?? 1) * lineHeightOfTexts * max + (index === 0 ? 0 : (each.space ?? 0))
      checkInks(inks, where)
    }
    const height = turned % 180 === 0 ? area[3] : area[2]
    demand(needed <= height + 0.01, `Texts on ${where} need ${needed.toFixed(1)} of ${height} points.`)
  }

  /** @param inset how far inside the trim it must stay */
  function checkArea([left, top, width, height]: Area, inset: number, where: string): void {
    const isInside =
      left >= inset && top >= inset && left + width <= trim.width - inset && top + height <= trim.height - inset
    demand(width > 0 && height > 0 && isInside, `The area ${[left, top, width, height].join(' ')} is not on ${where}.`)
  }

  function checkInks(inks: Chosen<Inks>, where: string): void {
    if ('by' in inks) {
      checkList(inks.by, inks.of, where)
      return Object.values(inks.of).forEach((each) => checkInks(each, where))
    }
    const isInk = inks.every((ink) => ink >= 0 && ink <= 100) && inks.reduce((sum, ink) => sum + ink, 0) <= inksMax
    demand(isInk, `The inks ${inks.join(' ')} on ${where} are too much.`)
  }

  function checkList(by: string, of: Readonly<Record<string, unknown>>, where: string): void {
    use(by, where)
    const items = known.get(by)?.listItems ?? []
    const isSame = items.length > 0 && JSON.stringify(items) === JSON.stringify(Object.keys(of))
    demand(isSame, `A choice on ${where} does not have the items of ${by}, in their order.`)
  }

  function use(name: string, where: string): void {
    used.add(name)
    demand(known.has(name), `The variable ${name} of ${where} is missing.`)
  }
}
