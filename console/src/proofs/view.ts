import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { fitScale, keepPane, type Size } from './pictures.ts'

/** How a sheet lies in its pane. All panes have the same view, so that their pictures move together. */
export type View = {
  /** px per point */
  scale: number
  /** where the sheet begins in the pane, px */
  left: number
  top: number
}

/** Which part is seen: the whole sheet, or so many px per point around a place, in points. */
type Look = { scale: number | null; x: number; y: number }

/** px per point at which a piece is as large on the screen as in the hand */
export const realSize = 96 / 72
const [least, most] = [0.05, 40]

export type Looking = ReturnType<typeof useView>

export function useView(pane: Size, sheet: Size) {
  const whole: Look = { scale: null, x: sheet.width / 2, y: sheet.height / 2 }
  const [look, setLook] = useState<Look | null>(null)
  const { scale: wanted, x, y } = look ?? whole
  const scale = wanted ?? fitScale(pane, sheet)
  const view: View = { scale, left: pane.width / 2 - x * scale, top: pane.height / 2 - y * scale }

  /** the place under the point of the pane stays where it is */
  const zoomTo = (next: number, at = { x: pane.width / 2, y: pane.height / 2 }) => {
    const to = Math.max(least, Math.min(most, next))
    const place = { x: (at.x - view.left) / scale, y: (at.y - view.top) / scale }
    setLook({
      scale: to,
      x: place.x + (pane.width / 2 - at.x) / to,
      y: place.y + (pane.height / 2 - at.y) / to,
    })
  }
  return {
    view,
    isWhole: wanted === null,
    /** 1 = as large as in the hand */
    zoom: scale / realSize,
    fit: () => setLook(null),
    zoomTo,
    zoomBy: (factor: number, at?: { x: number; y: number }) => zoomTo(scale * factor, at),
    /** moves the sheet by px */
    pan: (right: number, down: number) => setLook({ scale, x: x - right / scale, y: y - down / scale }),
    /** brings a place of the sheet into the middle */
    centre: (at: { x: number; y: number }) => setLook({ scale: wanted, ...(wanted === null ? whole : at) }),
  }
}

/** The size of an element, known before it is painted. */
export function useSize(): [ref: RefObject<HTMLDivElement | null>, size: Size] {
  const ref = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element
      keepPane({ width, height })
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, size]
}
