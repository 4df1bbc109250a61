import { useEffect, useState } from 'react'

/**
 * Pictures come by signed links that end after a while, and every read brings new ones. The page keeps to the link it has
 * while that is good, so that the same picture is not loaded again and again.
 */

export type Picture = { link: string; width: number; height: number }
export type Size = { width: number; height: number }

const links = new Map<string, { link: string; until: number }>()

/** a link is not used in its last seconds */
const margin = 20_000
/** how long a link is kept that does not say when it ends */
const usual = 4 * 60_000

export function steadyLink(link: string): string {
  const name = nameOf(link)
  const known = links.get(name)
  if (known && known.until > Date.now()) return known.link
  links.set(name, { link, until: endOf(link) })
  return link
}

/** The next read brings another link for the picture. */
export function forgetLink(link: string): void {
  links.delete(nameOf(link))
  loaded.delete(link)
}

function nameOf(link: string): string {
  return link.split('?', 1)[0]!
}

function endOf(link: string): number {
  const { searchParams } = new URL(link)
  const signed = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(searchParams.get('X-Amz-Date') ?? '')
  const seconds = Number(searchParams.get('X-Amz-Expires'))
  if (!signed || !seconds) return Date.now() + usual
  const [, year, month, day, hour, minute, second] = signed
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) + seconds * 1000 - margin
}

/** Pictures that are decoded already. Those used last stay. */
const loaded = new Map<string, HTMLImageElement>()
const keptAtMost = 24

/** Loads and decodes a picture, so that it shows at once when it is wanted. */
export async function load(link: string): Promise<void> {
  const image = loaded.get(link) ?? new Image()
  loaded.delete(link)
  loaded.set(link, image)
  for (const first of loaded.keys()) {
    if (loaded.size <= keptAtMost) break
    loaded.delete(first)
  }
  if (!image.src) image.src = link
  await image.decode()
}

/** The smallest picture that has the pixels, else the largest. */
export function pictureFor(pictures: readonly Picture[], pixels: number): Picture | undefined {
  const bySize = pictures.toSorted((one, other) => one.width - other.width)
  return bySize.find(({ width }) => width >= pixels) ?? bySize.at(-1)
}

/** The picture to show so large. A sharper one replaces it once it is decoded, so nothing flickers. */
export function usePicture(pictures: readonly Picture[], pixels: number): Picture | undefined {
  const wanted = pictureFor(pictures, pixels)
  const [ready, setReady] = useState(wanted)
  useEffect(() => {
    if (!wanted) return undefined
    let isWanted = true
    const show = () => {
      if (isWanted) setReady(wanted)
    }
    // A picture that fails is shown as well: its place says so.
    load(wanted.link).then(show, show)
    return () => {
      isWanted = false
    }
    // The picture is the same as long as its link is.
  }, [wanted?.link]) // eslint-disable-line react-hooks/exhaustive-deps
  return ready && pictures.some(({ link }) => link === ready.link) ? ready : wanted
}

/** How large the pane was in which pictures were shown last: those that come next are loaded for it. */
let lastPane: Size = { width: 480, height: 560 }
export function keepPane(pane: Size): void {
  lastPane = pane
}

const border = 24

/** Pixels of the page per point, so that the whole sheet is seen. */
export function fitScale(pane: Size, sheet: Size): number {
  return Math.max(0.01, Math.min((pane.width - 2 * border) / sheet.width, (pane.height - 2 * border) / sheet.height))
}

/** Loads the picture of a sheet as it shows first. */
export function loadAhead(sheet: Size & { pictures: readonly Picture[] }): Promise<void> {
  const picture = pictureFor(sheet.pictures, sheet.width * fitScale(lastPane, sheet) * window.devicePixelRatio)
  return picture ? load(picture.link).catch(() => undefined) : Promise.resolve()
}
