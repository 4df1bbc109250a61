import { Button, NativeSelect, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { revisionOf, type AnswerOf, type InputOf } from '../api/api.ts'
import { useChange } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { At as Link, useGo } from '../kit/at.tsx'
import { useUrlState } from '../kit/filters.tsx'
import { useKeys } from '../kit/keys.ts'
import { Loaded } from '../kit/loaded.tsx'
import { NotThere } from '../kit/not-there.tsx'
import { PageHead } from '../kit/page-head.tsx'
import { Refused } from '../kit/refused.tsx'
import { Section } from '../kit/section.tsx'
import { Status } from '../kit/status.tsx'
import { InZone } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSite } from '../shell/sites.ts'
import classes from './desk.module.css'
import { Inks, LineFacts, Revisions } from './facts.tsx'
import { Findings, isWaivable } from './findings.tsx'
import { KeyTable } from './key-table.tsx'
import { useNeighbours, usePlaceOfLine } from './queue.tsx'
import { searchKept } from './queues.ts'
import { firstLaid, reasonsOf, useLine, useReadAhead, type At } from './reads.ts'
import { findingsOf, sheetsOf, type File, type Line, type Profile, type Sheet } from './sheets.ts'
import { modes, Stage, type Laid, type Mode } from './stage.tsx'
import stage from './stage.module.css'
import { Approve, Decline, Hold, NewerProof, Problem, Upload } from './verbs.tsx'
import { realSize, useSize, useView } from './view.ts'

type Order = AnswerOf<'readOrder'>

/** One line on the desk: its artwork and its proof, what was found, and the decision. */
export function ProofDesk({ at }: { at: At }) {
  const { order, artwork, product } = useLine(at)
  const neighbours = useNeighbours(at)
  useReadAhead(neighbours.ahead)
  return (
    <Loaded query={order}>
      {(read) => {
        const line = read.lines.find(({ lineNumber }) => lineNumber === at.lineNumber)
        if (!line) return <NotThere />
        return (
          <Loaded query={artwork}>
            {({ files }) => (
              <Desk
                key={`${at.orderNumber}/${at.lineNumber}`}
                at={at}
                order={read}
                line={line}
                files={files}
                profile={product.data?.artworkProfile}
                neighbours={neighbours}
              />
            )}
          </Loaded>
        )
      }}
    </Loaded>
  )
}

type DeskProps = {
  at: At
  order: Order
  line: Line
  files: readonly File[]
  profile: Profile | undefined
  neighbours: ReturnType<typeof useNeighbours>
}

type Panel = 'approve' | 'decline' | 'upload' | 'hold' | 'problem' | 'keys'

function Desk({ at, order, line, files, profile, neighbours }: DeskProps) {
  const zone = useSite(line.siteId)?.timeZone
  const [state] = useUrlState()
  const go = useGo()
  const place = usePlaceOfLine()
  const [panel, setPanel] = useState<Panel | null>(null)
  /** the proof that lay here when a decision on it was begun */
  const [begunOn, setBegunOn] = useState<number>()
  const proof = line.proofs.find(({ active }) => active)?.revision
  const ask = (wanted: Panel) => {
    setBegunOn(proof)
    setPanel(wanted)
  }
  const [reason, setReason] = useState('')
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    frame.current?.focus({ preventScroll: true })
  }, [])

  const close = () => {
    setPanel(null)
    frame.current?.focus({ preventScroll: true })
  }
  const { next, previous, position } = neighbours
  const goNext = () => next && go(place(next))
  const goPrevious = () => previous && go(place(previous))
  /** what was decided here is done; the next one opens by itself */
  const done = () => (next ? go(place(next)) : go(`/proofs?${searchKept(state)}`))

  /** a proof is not drawn of it before somebody mends or waives what was found */
  const isFaulty = ['needs_changes', 'unreadable'].includes(files.at(-1)?.status ?? '')
  const { verbs, error } = useVerbs({ at, line, order, done, ask })
  const environment = useEnvironment()
  const isDeciding = line.proofStatus === 'PENDING_REVIEW'
  const offered = useQuery({ ...reasonsOf(environment, at), enabled: isDeciding })
  const reasons = offered.data?.reasons ?? []
  const mayDecline = useMay()('declineProof') && isDeciding
  const declineFor = (index: number) => {
    const chosen = reasons[index]
    if (!chosen || !mayDecline) return
    setReason(chosen.code)
    ask('decline')
  }
  useKeys({
    j: () => goNext(),
    Enter: () => goNext(),
    k: () => goPrevious(),
    Escape: close,
    '?': () => setPanel(panel === 'keys' ? null : 'keys'),
    ...Object.fromEntries(Array.from({ length: 9 }, (_, index) => [String(index + 1), () => declineFor(index)])),
    ...Object.fromEntries(verbs.map(({ key, run }) => [key, run])),
  })

  const asked = { at, close, onDone: done }
  const deciding = { ...asked, ifMatch: revisionOf(order) }
  const isNewer = (panel === 'approve' || panel === 'decline') && begunOn !== proof
  return (
    <InZone value={zone}>
      <div ref={frame} className={classes.desk} tabIndex={-1}>
        <div className={classes.head}>
          <PageHead
            title={`${at.orderNumber} / ${at.lineNumber}`}
            status={<Status value={line.proofStatus} />}
            above={
              <span className={classes.walk}>
                <Link to={`/proofs?${searchKept(state)}`}>All proofs</Link>
                {position && <span className="numbers">{position}</span>}
                <Button variant="default" size="compact-xs" disabled={!previous} onClick={goPrevious}>
                  Previous
                </Button>
                <Button variant="default" size="compact-xs" disabled={!next} onClick={goNext}>
                  Next
                </Button>
              </span>
            }
            about={line.jobName ?? line.productName}
            actions={
              <>
                {verbs.map(({ key, label, run, isPending }, index) => (
                  <Button
                    key={key}
                    variant={index === 0 && !(key === 'p' && isFaulty) ? 'filled' : 'default'}
                    loading={isPending}
                    onClick={run}
                    rightSection={<kbd className={classes.key}>{key}</kbd>}
                  >
                    {label}
                  </Button>
                ))}
                <Button variant="subtle" color="gray" onClick={() => setPanel(panel === 'keys' ? null : 'keys')}>
                  Keys <kbd className={classes.key}>?</kbd>
                </Button>
              </>
            }
          />
          {error && (
            <div className={classes.refused}>
              <Refused error={error} />
            </div>
          )}
          {isNewer && <NewerProof close={close} />}
          {panel === 'approve' && !isNewer && <Approve {...deciding} />}
          {panel === 'decline' && !isNewer && (
            <Decline {...deciding} reasons={reasons} reason={reason} onReason={setReason} />
          )}
          {panel === 'upload' && <Upload {...asked} />}
          {panel === 'hold' && <Hold {...asked} />}
          {panel === 'problem' && <Problem {...asked} />}
          {panel === 'keys' && <KeyTable reasons={mayDecline ? reasons : []} />}
        </div>
        <Looked order={order} line={line} files={files} profile={profile} />
      </div>
    </InZone>
  )
}

type Verb = { key: string; label: string; run: () => void; isPending?: boolean }

/** What may be done with the line now, the next sensible thing first. */
function useVerbs({
  at,
  line,
  order,
  done,
  ask,
}: {
  at: At
  line: Line
  order: Order
  done: () => void
  ask: (panel: Panel) => void
}): { verbs: readonly Verb[]; error: Error | null } {
  const may = useMay()
  const enter = useChange('putInProofing', { onDone: done })
  const publish = useChange('publishProof', { onDone: done })
  const release = useChange('releaseLine')
  const clear = useChange('clearProblem')
  const { proofStatus, heldAt, problem, productionStatus } = line
  const isOver = order.status === 'CANCELLED' || order.status === 'COMPLETED' || line.cancelledOn !== null
  const isInPrepress = productionStatus === null || productionStatus === 'PREPRESS' || heldAt !== null
  const mayBeDrawn = proofStatus === 'NOT_CREATED' || proofStatus === 'DECLINED'
  const input = { path: at } as InputOf<'putInProofing'>
  const all: readonly (Verb & { isOffered: boolean })[] = [
    {
      key: 'a',
      label: 'Approve…',
      run: () => ask('approve'),
      isOffered: proofStatus === 'PENDING_REVIEW' && may('approveProof'),
    },
    {
      key: 'p',
      label: 'Publish the proof',
      run: () => publish.mutate(input),
      isPending: publish.isPending,
      isOffered: mayBeDrawn && may('publishProof'),
    },
    {
      key: 'e',
      label: 'Enter proofing',
      run: () => enter.mutate(input),
      isPending: enter.isPending,
      isOffered: proofStatus === null && isInPrepress && may('putInProofing'),
    },
    {
      key: 'x',
      label: 'Decline…',
      run: () => ask('decline'),
      isOffered: proofStatus === 'PENDING_REVIEW' && may('declineProof'),
    },
    {
      key: 'u',
      label: 'Upload a proof…',
      run: () => ask('upload'),
      isOffered: mayBeDrawn && may('publishUploadedProof'),
    },
    { key: 'h', label: 'Hold…', run: () => ask('hold'), isOffered: heldAt === null && may('holdLine') },
    {
      key: 'h',
      label: 'Release',
      run: () => release.mutate(input),
      isPending: release.isPending,
      isOffered: heldAt !== null && may('releaseLine'),
    },
    { key: 'r', label: 'Report a problem…', run: () => ask('problem'), isOffered: !problem && may('reportProblem') },
    {
      key: 'r',
      label: 'Clear the problem',
      run: () => clear.mutate(input),
      isPending: clear.isPending,
      isOffered: problem !== null && may('clearProblem'),
    },
  ]
  return {
    verbs: isOver ? [] : all.filter(({ isOffered }) => isOffered),
    error: publish.error ?? enter.error ?? release.error ?? clear.error,
  }
}

const isMode = (text: string | undefined): text is Mode => text !== undefined && Object.hasOwn(modes, text)

const step = 10
const panStep = 60

/** The sheets on the stage with what is known about them beside it. */
function Looked({ order, line, files, profile }: Pick<DeskProps, 'order' | 'line' | 'files' | 'profile'>) {
  const [state, set] = useUrlState()
  const sheets = sheetsOf(line, files, profile)
  const first = firstLaid(sheets)
  const named = (id: string | undefined) => sheets.find((sheet) => sheet.id === id)
  const under = named(state.under) ?? first.under ?? sheets[0]
  const over = state.over === 'none' ? undefined : (named(state.over) ?? first.over)
  const above = over === under ? undefined : over
  const mode: Mode = isMode(state.mode) ? state.mode : 'side'
  const pageNumber = Math.max(1, Number(state.page) || 1)
  const pages = Math.max(1, ...[under, above].map((sheet) => sheet?.pages.length ?? 0))
  const [share, setShare] = useState(50)
  const [isFlipped, setIsFlipped] = useState(false)
  const [areGuidesShown, setAreGuidesShown] = useState(true)
  const [areMarksShown, setAreMarksShown] = useState(true)
  const [selected, setSelected] = useState<number | null>(null)
  const [waiving, setWaiving] = useState<number | null>(null)
  const again = useChange('inspectAgain')
  const may = useMay()

  const laid = (sheet: Sheet): Laid => ({ sheet, page: sheet.pages[pageNumber - 1] })
  const newest = files.at(-1)
  // Findings are of the file that is looked at; of the newest, where no file is.
  const file = under?.file ?? newest
  const findings = findingsOf(file).map((finding, index) => ({ number: index + 1, finding }))
  const isMarked = under?.file !== null && areMarksShown

  const sheetShown = under?.pages[pageNumber - 1] ?? above?.pages[pageNumber - 1] ?? { width: 252, height: 144 }
  const [paneRef, pane] = useSize()
  const looking = useView(pane, sheetShown)

  const select = (number: number | null) => {
    setSelected(number)
    setWaiving(null)
    const finding = findings.find((each) => each.number === number)?.finding
    if (finding?.page && finding.page !== pageNumber) set({ page: String(finding.page) })
  }
  const waive = (number: number | null) => {
    if (number !== null) setSelected(number)
    setWaiving(number)
  }
  const waivable = findings.filter(({ finding }) => isWaivable(finding))
  const turnTo = (page: number) => page >= 1 && page <= pages && set({ page: page === 1 ? undefined : String(page) })
  const compare = (one: string, other: string, how: Mode = mode) =>
    set({ under: one, over: other, mode: how === 'side' ? undefined : how })
  /** the newest revision and the one before it in turn, in the same place */
  const flip = () => {
    if (mode === 'flip' && above) return setIsFlipped(!isFlipped)
    const alike = sheets.filter(({ file: of }) => (of === null) === line.proofs.length > 1)
    setIsFlipped(false)
    return alike.length > 1 ? compare(alike[0]!.id, alike[1]!.id, 'flip') : set({ mode: 'flip' })
  }
  const show = (wanted: Mode) => set({ mode: wanted === 'side' ? undefined : wanted })
  const slide = (by: number) => setShare(Math.max(0, Math.min(100, share + by)))
  const inspect = () => file && may('inspectAgain') && again.mutate({ path: { inspectionId: file.inspectionId } })
  const download = useRef<HTMLAnchorElement>(null)

  useKeys({
    s: () => show('side'),
    l: () => show('slider'),
    o: () => show('onion'),
    d: () => show('difference'),
    f: flip,
    ',': () => slide(-step),
    '.': () => slide(step),
    b: () => setAreGuidesShown(!areGuidesShown),
    m: () => setAreMarksShown(!areMarksShown),
    '0': looking.fit,
    z: () => (looking.isWhole ? looking.zoomTo(realSize) : looking.fit()),
    '+': () => looking.zoomBy(1.25),
    '=': () => looking.zoomBy(1.25),
    '-': () => looking.zoomBy(0.8),
    ArrowLeft: () => looking.pan(panStep, 0),
    ArrowRight: () => looking.pan(-panStep, 0),
    ArrowUp: () => looking.pan(0, panStep),
    ArrowDown: () => looking.pan(0, -panStep),
    '[': () => turnTo(pageNumber - 1),
    ']': () => turnTo(pageNumber + 1),
    n: () => findings.length > 0 && select(((selected ?? 0) % findings.length) + 1),
    w: () => {
      const chosen = waivable.find(({ number }) => number === selected) ?? waivable[0]
      if (chosen && may('waiveFinding')) waive(chosen.number)
    },
    i: () => void inspect(),
    t: () => download.current?.click(),
  })

  const printed = line.printFiles.at(-1)?.link
  const name = (sheet: Sheet) => ({ value: sheet.id, label: sheet.name })
  return (
    <div className={classes.body}>
      <section className={classes.stage} aria-label="Artwork and proof">
        <div className={classes.tools}>
          {above && (
            <span className={classes.group} role="group" aria-label="How they are compared">
              {(Object.keys(modes) as Mode[]).map((each) => (
                <Button
                  key={each}
                  size="compact-xs"
                  variant={each === mode ? 'light' : 'subtle'}
                  color={each === mode ? undefined : 'gray'}
                  aria-pressed={each === mode}
                  onClick={() => (each === 'flip' && mode === 'flip' ? setIsFlipped(!isFlipped) : show(each))}
                >
                  {modes[each]}
                </Button>
              ))}
            </span>
          )}
          {above && (mode === 'slider' || mode === 'onion') && (
            <input
              type="range"
              min={0}
              max={100}
              value={share}
              aria-label={mode === 'slider' ? 'Where the slider is' : 'How much the upper one covers'}
              onChange={(event) => setShare(Number(event.currentTarget.value))}
            />
          )}
          <span className={classes.grow} />
          <span className={classes.group}>
            {pages > 1 && (
              <>
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={pageNumber <= 1}
                  onClick={() => turnTo(pageNumber - 1)}
                  aria-label="Previous page"
                >
                  ‹
                </Button>
                <span className="numbers">
                  Page {pageNumber} of {pages}
                </span>
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={pageNumber >= pages}
                  onClick={() => turnTo(pageNumber + 1)}
                  aria-label="Next page"
                >
                  ›
                </Button>
              </>
            )}
            <Button size="compact-xs" variant="default" onClick={() => looking.zoomBy(0.8)} aria-label="Smaller">
              −
            </Button>
            <span className={`numbers ${classes.zoom}`} role="status" aria-label="Zoom">
              {Math.round(looking.zoom * 100)} %
            </span>
            <Button size="compact-xs" variant="default" onClick={() => looking.zoomBy(1.25)} aria-label="Larger">
              +
            </Button>
            <Button size="compact-xs" variant="default" aria-pressed={looking.isWhole} onClick={looking.fit}>
              Fit
            </Button>
            <Button size="compact-xs" variant="default" onClick={() => looking.zoomTo(realSize)}>
              1:1
            </Button>
          </span>
        </div>
        {under ? (
          <Stage
            under={laid(under)}
            over={above && laid(above)}
            mode={mode}
            share={share}
            isFlipped={isFlipped}
            looking={looking}
            guides={areGuidesShown ? { safe: profile?.safe ?? null } : null}
            marks={isMarked ? findings.filter(({ finding }) => (finding.page ?? 1) === pageNumber) : []}
            selected={selected}
            onSelect={select}
            paneRef={paneRef}
          />
        ) : (
          <div ref={paneRef} className={classes.bare}>
            <Text size="sm">
              {line.artworkSource === 'UPLOAD'
                ? 'There is no artwork yet. Ask for the file, or attach it on the page of the order.'
                : 'There is no picture yet. Publish the proof to see one.'}
            </Text>
          </div>
        )}
        <div className={classes.tools}>
          <Guide kind="trim" name="Trim" />
          <Guide kind="bleed" name="Bleed" />
          <Guide kind="safe" name="Safe area" />
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            aria-pressed={areGuidesShown}
            onClick={() => setAreGuidesShown(!areGuidesShown)}
          >
            {areGuidesShown ? 'Hide lines' : 'Show lines'}
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            aria-pressed={areMarksShown}
            onClick={() => setAreMarksShown(!areMarksShown)}
          >
            {areMarksShown ? 'Hide marks' : 'Show marks'}
          </Button>
          <span className={classes.grow} />
          {sheets.length > 1 && (
            <span className={classes.group}>
              <NativeSelect
                size="xs"
                aria-label="Looked at"
                data={sheets.map(name)}
                value={under?.id ?? ''}
                onChange={(event) => set({ under: event.currentTarget.value })}
              />
              <NativeSelect
                size="xs"
                aria-label="Compared with"
                data={[{ value: 'none', label: 'Nothing' }, ...sheets.map(name)]}
                value={above?.id ?? 'none'}
                onChange={(event) => set({ over: event.currentTarget.value })}
              />
            </span>
          )}
        </div>
      </section>
      <aside className={classes.facts} aria-label="Facts and findings">
        {file && (
          <Section
            title="Findings"
            actions={
              <>
                <Status value={file.status} />
                {may('inspectAgain') && (
                  <Button variant="default" size="compact-xs" loading={again.isPending} onClick={inspect}>
                    Inspect again
                  </Button>
                )}
              </>
            }
          >
            <Refused error={again.error} />
            <Findings
              file={file}
              findings={findings}
              selected={selected}
              onSelect={select}
              waiving={waiving}
              onWaive={waive}
            />
          </Section>
        )}
        <Section
          title="Facts"
          actions={
            printed && (
              <Button
                component="a"
                ref={download}
                href={printed}
                download
                target="_blank"
                rel="noreferrer"
                variant="default"
                size="compact-xs"
                leftSection={<IconDownload size={14} aria-hidden />}
              >
                Download the file
              </Button>
            )
          }
        >
          <LineFacts order={order} line={line} file={newest} profile={profile} />
        </Section>
        {file && <Inks file={file} profile={profile} />}
        <Revisions line={line} files={files} onCompare={compare} />
      </aside>
    </div>
  )
}

function Guide({ kind, name }: { kind: 'trim' | 'bleed' | 'safe'; name: string }) {
  return (
    <span className={classes.guide}>
      <svg width="22" height="8" aria-hidden>
        <path d="M0 4h22" className={stage.key} data-kind={kind} />
      </svg>{' '}
      {name}
    </span>
  )
}
