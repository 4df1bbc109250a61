import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type CSSProperties, type PointerEvent, type ReactNode } from 'react'
import { forgetLink, usePicture, type Size } from './pictures.ts'
import { placeOf, type Box, type Finding, type Page, type Sheet } from './sheets.ts'
import classes from './stage.module.css'
import type { Looking, useSize, View } from './view.ts'

/** How two sheets are held against each other. */
export const modes = {
  side: 'Side by side',
  slider: 'Slider',
  onion: 'Onion skin',
  difference: 'Difference',
  flip: 'Flip',
} as const
export type Mode = keyof typeof modes

export type Laid = { sheet: Sheet; page: Page | undefined }

/** A finding with its number in the list beside the stage. */
export type Numbered = { number: number; finding: Finding }

type Props = {
  under: Laid
  over: Laid | undefined
  mode: Mode
  /** how far the slider is, or how much the upper sheet covers: 0 to 100 */
  share: number
  isFlipped: boolean
  looking: Looking
  guides: { safe: number | null } | null
  marks: readonly Numbered[]
  selected: number | null
  onSelect: (number: number) => void
  /** measured: the panes are of one size */
  paneRef: ReturnType<typeof useSize>[0]
}

/** The sheets as they lie over or beside each other. They move together. */
export function Stage({
  under,
  over,
  mode,
  share,
  isFlipped,
  looking,
  guides,
  marks,
  selected,
  onSelect,
  paneRef,
}: Props) {
  const frame = under.page ?? over?.page
  const shownMarks = { marks, selected, onSelect }
  if (!over || mode === 'side') {
    return (
      <div className={classes.panes}>
        <Pane looking={looking} paneRef={paneRef} name={under.sheet.name}>
          <Lying laid={under} frame={frame} view={looking.view} guides={guides} marks={shownMarks} />
        </Pane>
        {over && (
          <Pane looking={looking} name={over.sheet.name}>
            <Lying laid={over} frame={frame} view={looking.view} guides={guides} />
          </Pane>
        )}
      </div>
    )
  }
  const seen = mode === 'flip' && isFlipped ? over : under
  return (
    <div className={classes.panes}>
      <Pane
        looking={looking}
        paneRef={paneRef}
        name={
          mode === 'flip' ? seen.sheet.name : `${under.sheet.name} and ${over.sheet.name}: ${modes[mode].toLowerCase()}`
        }
      >
        <Lying laid={under} frame={frame} view={looking.view} guides={guides} marks={shownMarks} />
        <div className={classes.over} data-mode={mode} style={coverOf(mode, share, isFlipped)}>
          <Lying laid={over} frame={frame} view={looking.view} guides={null} />
        </div>
        {mode === 'slider' && <div className={classes.divider} style={{ left: `${share}%` }} />}
      </Pane>
    </div>
  )
}

function coverOf(mode: Mode, share: number, isFlipped: boolean): CSSProperties {
  if (mode === 'slider') return { clipPath: `inset(0 0 0 ${share}%)` }
  if (mode === 'onion') return { opacity: share / 100 }
  if (mode === 'flip') return { visibility: isFlipped ? 'visible' : 'hidden' }
  return { mixBlendMode: 'difference' }
}

/** A window on the sheets: dragging moves them, the wheel makes them larger. */
function Pane({
  looking,
  paneRef,
  name,
  children,
}: {
  looking: Looking
  paneRef?: Props['paneRef']
  name: string
  children: ReactNode
}) {
  const own = useRef<HTMLDivElement>(null)
  const ref = paneRef ?? own
  const zoomBy = useRef(looking.zoomBy)
  useEffect(() => {
    zoomBy.current = looking.zoomBy
  })
  useEffect(() => {
    const element = ref.current
    // React's own listener could not keep the page from scrolling.
    const turn = (event: WheelEvent) => {
      event.preventDefault()
      const { left, top } = element!.getBoundingClientRect()
      zoomBy.current(Math.exp(-event.deltaY / 400), { x: event.clientX - left, y: event.clientY - top })
    }
    element?.addEventListener('wheel', turn, { passive: false })
    return () => element?.removeEventListener('wheel', turn)
  }, [ref])
  const grab = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button === 0 && !(event.target as HTMLElement).closest('button'))
      event.currentTarget.setPointerCapture(event.pointerId)
  }
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) looking.pan(event.movementX, event.movementY)
  }
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.name}>{name}</figcaption>
      <div ref={ref} className={classes.pane} onPointerDown={grab} onPointerMove={drag}>
        {children}
      </div>
    </figure>
  )
}

type Marks = Pick<Props, 'marks' | 'selected' | 'onSelect'>

function Lying({
  laid: { sheet, page },
  frame,
  view,
  guides,
  marks,
}: {
  laid: Laid
  frame: Page | undefined
  view: View
  guides: Props['guides']
  marks?: Marks
}) {
  if (!page || !frame) return <p className={classes.nothing}>{whyNothing(sheet)}</p>
  // The cut lies on the cut, whatever stands beyond it.
  const left = view.left + (frame.trim.left - page.trim.left) * view.scale
  const top = view.top + (frame.trim.top - page.trim.top) * view.scale
  const size = { width: page.width * view.scale, height: page.height * view.scale }
  return (
    <div className={classes.sheet} style={{ left, top, ...size }}>
      <Shown page={page} size={size} name={sheet.name} />
      {guides && <Guides page={page} scale={view.scale} safe={guides.safe} />}
      {marks && <MarksOn page={page} scale={view.scale} {...marks} />}
    </div>
  )
}

function whyNothing({ file, pages }: Sheet): string {
  if (!file) return 'The picture of a proof shows its first page. Its PDF shows all of them.'
  if (pages.length > 0) return 'It has no such page.'
  return file.status === 'queued' || file.status === 'inspecting'
    ? 'The file is being inspected. Its pages appear by themselves.'
    : 'There are no pictures of this file.'
}

/** ms within which a picture that fails again is given up */
const patience = 10_000
/** from here on, pixels are shown as they are */
const sharpFrom = 2

function Shown({ page, size, name }: { page: Page; size: Size; name: string }) {
  const queries = useQueryClient()
  const picture = usePicture(page.pictures, size.width * window.devicePixelRatio)
  const lastFailure = useRef(Number.NEGATIVE_INFINITY)
  const [attempt, setAttempt] = useState(0)
  const [isLost, setIsLost] = useState(false)
  if (!picture) return <p className={classes.nothing}>There is no picture of this page.</p>
  /** A link that has ended is asked for anew. What fails again at once is not there. */
  const readAnew = async () => {
    const isAgain = performance.now() - lastFailure.current < patience
    lastFailure.current = performance.now()
    if (isAgain) return setIsLost(true)
    forgetLink(picture.link)
    await queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[1] === 'readOrder' || queryKey[1] === 'readLineArtwork',
    })
    setAttempt((before) => before + 1)
  }
  if (isLost) return <p className={classes.nothing}>The picture cannot be loaded now.</p>
  return (
    <img
      key={attempt}
      src={picture.link}
      alt={name}
      className={classes.picture}
      data-sharp={size.width >= sharpFrom * picture.width || undefined}
      draggable={false}
      onError={() => void readAnew()}
    />
  )
}

/** Trim, bleed and safe area. Each line is of another kind, as well as of another colour. */
function Guides({ page, scale, safe }: { page: Page; scale: number; safe: number | null }) {
  const { trim, width, height } = page
  const inside: Box | null =
    (safe && {
      left: trim.left + safe,
      top: trim.top + safe,
      width: trim.width - 2 * safe,
      height: trim.height - 2 * safe,
    }) ||
    null
  return (
    <svg className={classes.guides} width={width * scale} height={height * scale} aria-hidden>
      {page.hasBleed && <Frame box={{ left: 0, top: 0, width, height }} scale={scale} kind="bleed" />}
      <Frame box={trim} scale={scale} kind="trim" />
      {inside && inside.width > 0 && inside.height > 0 && <Frame box={inside} scale={scale} kind="safe" />}
    </svg>
  )
}

function Frame({ box, scale, kind }: { box: Box; scale: number; kind: 'trim' | 'bleed' | 'safe' }) {
  const at = { x: box.left * scale, y: box.top * scale, width: box.width * scale, height: box.height * scale }
  return (
    <>
      <rect {...at} className={classes.edge} />
      <rect {...at} className={classes.guide} data-kind={kind} />
    </>
  )
}

function MarksOn({ page, scale, marks, selected, onSelect }: Marks & { page: Page; scale: number }) {
  return marks.map(({ number, finding }) => {
    const place = placeOf(finding, page)
    if (!place) return null
    return (
      <div
        key={number}
        className={classes.mark}
        data-severity={finding.waiver ? 'info' : finding.severity}
        data-selected={number === selected || undefined}
        style={{
          left: place.left * scale,
          top: place.top * scale,
          width: place.width * scale,
          height: place.height * scale,
        }}
      >
        <button type="button" aria-label={`Finding ${number}: ${finding.message}`} onClick={() => onSelect(number)}>
          {number}
        </button>
      </div>
    )
  })
}
