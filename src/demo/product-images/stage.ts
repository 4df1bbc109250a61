import type { PrintedPage } from '../specimens/svg-canvas.ts'

/** The pieces that product images are put together from: SVG in a frame of 1600 by 1200. */

export const frame = { width: 1_600, height: 1_200 } as const

type Placed = { x: number; y: number; width: number; turn?: number; fold?: number }

/** What is shown of a page's width, from 0 to 1. */
type Part = { from: number; to: number }

const whole: Part = { from: 0, to: 1 }

/**
 * A printed page that lies or hangs in the picture, with its shadow. `x` and `y` are its upper left corner before it is
 * turned around its middle; `fold` slants it upwards or downwards, in degrees.
 */
export function sheet(page: PrintedPage, placed: Placed, part: Part = whole): string {
  const { x, y, width, turn = 0, fold = 0 } = placed
  const { from, to } = part
  const shown = page.width * (to - from)
  const scale = width / shown
  const height = page.height * scale
  const clip = `clip${Math.round(x)}-${Math.round(y)}-${Math.round(from * 100)}`
  const place = `translate(${x + width / 2} ${y + height / 2}) rotate(${turn}) skewY(${fold}) translate(${-width / 2} ${-height / 2})`
  return `<g transform="${place}"><rect x="8" y="14" width="${width}" height="${height}" fill="#1b1b2a" opacity=".3" filter="url(#soft)"/>
    <clipPath id="${clip}"><rect width="${width}" height="${height}"/></clipPath><rect width="${width}" height="${height}" fill="#fff"/>
    <g clip-path="url(#${clip})"><g transform="scale(${scale}) translate(${-page.width * from} 0)">${page.svg}</g></g></g>`
}

/** Many sheets on each other: edges below the uppermost one. */
export function pile(page: PrintedPage, placed: Placed, count: number, part: Part = whole): string {
  const { x, y, width, turn = 0 } = placed
  const height = (page.height * width) / (page.width * (part.to - part.from))
  const edges = Array.from({ length: count }, (_, index) => {
    const [down, right] = [(count - index) * 3.2, (count - index) * 2.2]
    return `<rect x="${right}" y="${down}" width="${width}" height="${height}" fill="#fbfaf7" stroke="#c9c6c0" stroke-width="1.4"/>`
  })
  const place = `translate(${x + width / 2} ${y + height / 2}) rotate(${turn}) translate(${-width / 2} ${-height / 2})`
  return `<g transform="${place}"><rect x="${count * 2.2}" y="${count * 3.2 + 10}" width="${width}" height="${height}" fill="#1b1b2a" opacity=".34" filter="url(#soft)"/>${edges.join('')}</g>${sheet(page, placed, part)}`
}

/** Darkens a part as if light fell from elsewhere. */
export function shade(path: string, opacity: number): string {
  return `<path d="${path}" fill="#0c1020" opacity="${opacity}"/>`
}

export function shadow(x: number, y: number, radiusX: number, radiusY: number): string {
  return `<ellipse cx="${x}" cy="${y}" rx="${radiusX}" ry="${radiusY}" fill="#11131f" opacity=".38" filter="url(#softer)"/>`
}

/** A table seen from above, lit from one corner. */
export function tabletop(light: string, dark: string): string {
  return `<radialGradient id="table" cx=".3" cy=".2" r="1.1"><stop stop-color="${light}"/><stop offset="1" stop-color="${dark}"/></radialGradient><rect width="1600" height="1200" fill="url(#table)"/>`
}

/** A room: a wall, and a floor from `horizon` down. */
export function room(wall: string, floor: string, horizon = 900): string {
  return `<linearGradient id="wall" x2=".4" y2="1"><stop stop-color="#fff"/><stop offset="1" stop-color="${wall}"/></linearGradient>
    <linearGradient id="floor" x2="0" y2="1"><stop stop-color="${floor}"/><stop offset="1" stop-color="#fff"/></linearGradient>
    <rect width="1600" height="1200" fill="url(#wall)"/><rect y="${horizon}" width="1600" height="${1_200 - horizon}" fill="url(#floor)"/>
    <rect y="${horizon}" width="1600" height="26" fill="#0c1020" opacity=".08"/>`
}

export function plant(x: number, y: number, size: number): string {
  const leaves = [-62, -38, -14, 12, 36, 60].map(
    (turn, index) =>
      `<path transform="rotate(${turn})" d="M0 0C-34-70-30-150 0-${200 + (index % 3) * 34}C30-150 34-70 0 0z" fill="${['#3f7d5a', '#2f6a4c', '#569a6c'][index % 3]}"/>`,
  )
  return `<g transform="translate(${x} ${y}) scale(${size / 300})">${shadow(0, 124, 110, 18)}${leaves.join('')}<path d="M-70 0H70L52 124H-52z" fill="#c9764f"/><path d="M-76-8H76V26H-76z" fill="#d98a61"/><path d="M20 0H70L52 124H16z" fill="#0c1020" opacity=".12"/></g>`
}

export function pen(x: number, y: number, length: number, turn: number, color: string): string {
  return `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${length / 500})"><rect x="6" y="10" width="470" height="30" rx="14" fill="#11131f" opacity=".3" filter="url(#soft)"/>
    <rect width="330" height="28" rx="12" fill="${color}"/><rect y="4" width="330" height="7" rx="3" fill="#fff" opacity=".35"/><rect x="326" width="96" height="28" fill="#d7dade"/><path d="M420 0 470 11v6L420 28z" fill="#b4b8be"/><path d="M470 11h18l6 3-6 3h-18z" fill="#55585e"/><rect x="24" y="-9" width="130" height="9" rx="4" fill="#d7dade"/><rect x="140" y="-9" width="14" height="16" fill="#b4b8be"/></g>`
}

/** The whole picture. `zoom` shows a part of it: how many times larger, and around where. */
export function picture(content: string, zoom?: { times: number; x: number; y: number }): string {
  const { times = 1, x = 800, y = 600 } = zoom ?? {}
  const [width, height] = [frame.width / times, frame.height / times]
  const left = Math.min(Math.max(0, x - width / 2), frame.width - width)
  const top = Math.min(Math.max(0, y - height / 2), frame.height - height)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${frame.width}" height="${frame.height}" viewBox="${left} ${top} ${width} ${height}">
    <filter id="soft" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="14"/></filter>
    <filter id="softer" x="-40%" y="-200%" width="180%" height="500%"><feGaussianBlur stdDeviation="26"/></filter>${content}</svg>`
}
