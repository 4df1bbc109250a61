import { Anchor, Button, Text } from '@mantine/core'
import type { AnswerOf } from '../api/api.ts'
import { At } from '../kit/at.tsx'
import { Facts } from '../kit/facts.tsx'
import { Section } from '../kit/section.tsx'
import { inWords, Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import classes from './facts.module.css'
import { decisionsOn, findingsOf, type File, type Line, type Profile, type Revision } from './sheets.ts'

type Order = AnswerOf<'readOrder'>

const perInch = 72
/** 252 × 144 pt → `3.5 × 2 in` */
function inches(width: number, height: number): string {
  const told = (points: number) => String(Math.round((points / perInch) * 1000) / 1000)
  return `${told(width)} × ${told(height)} in`
}

function bytes(size: number): string {
  return size < 1024 * 1024 ? `${Math.max(1, Math.round(size / 1024))} kB` : `${(size / 1024 / 1024).toFixed(1)} MB`
}

const sources: Readonly<Record<string, string>> = {
  UPLOAD: 'uploaded',
  URL: 'fetched from a URL',
  STAFF: 'attached by staff',
  TEMPLATE: 'made from the template',
}

/** What is to be printed, for whom, and by when. */
export function LineFacts({
  order,
  line,
  file,
  profile,
}: {
  order: Order
  line: Line
  file: File | undefined
  profile: Profile | undefined
}) {
  const printed = line.printFiles.at(-1)
  return (
    <Facts
      facts={[
        [
          'Order',
          <At key="order" to={`/orders/${order.orderNumber}`}>
            {order.orderNumber}
          </At>,
        ],
        ['Partner', order.partnerName ?? 'No partner'],
        [
          'Product',
          <At key="product" to={`/catalog/${line.productId}`}>
            {line.productName}
          </At>,
        ],
        ['Job', line.jobName],
        ['Pieces', line.quantity],
        ['Cut to', profile?.trimWidth && profile.trimHeight ? inches(profile.trimWidth, profile.trimHeight) : null],
        ['Ship by', <When key="due" at={line.shipBy ?? line.estimatedShipBy} />],
        ['Station', <Status key="station" value={line.productionStatus ?? 'NOT_STARTED'} />],
        ...(line.problem ? [['Problem', line.problem] as const] : []),
        ...(line.note ? [['Note', line.note] as const] : []),
        [
          'File',
          file ? (
            <>
              {printed?.link ? (
                <Anchor href={printed.link} download={file.fileName} inherit>
                  {file.fileName}
                </Anchor>
              ) : (
                file.fileName
              )}
              <br />
              {bytes(file.sizeBytes)}, {sources[file.source] ?? inWords(file.source)}, <When at={file.attachedOn} />
            </>
          ) : null,
        ],
      ]}
    />
  )
}

const process = [
  ['Cyan', '#00a0df'],
  ['Magenta', '#e5007d'],
  ['Yellow', '#ffed00'],
  ['Black', '#1a1a1a'],
] as const

/** Which inks print it, as far as the inspection tells: it names spot colours, RGB and too much ink. */
export function Inks({ file, profile }: { file: File; profile: Profile | undefined }) {
  const findings = findingsOf(file)
  const isInspected = file.status !== 'queued' && file.status !== 'inspecting' && file.status !== 'unreadable'
  if (!isInspected) return null
  const spots = findings.filter(({ code }) => code === 'spot_colours').map(({ subject }) => subject ?? 'Spot colour')
  const [heavy] = findings.filter(({ code }) => code === 'ink_coverage_high')
  const isRgb = findings.some(({ code }) => code === 'rgb_used')
  const most = profile?.inkPercentMax
  return (
    <Section title="Inks">
      <ul className={classes.inks}>
        {process.map(([name, colour]) => (
          <li key={name}>
            <svg width="14" height="14" aria-hidden>
              <rect width="14" height="14" fill={colour} />
            </svg>
            {name}
          </li>
        ))}
        {[...new Set(spots)].map((name) => (
          <li key={name}>
            <svg width="14" height="14" aria-hidden className={classes.spot}>
              <path d="M0 14 14 0M-4 10 10 -4M4 18 18 4" />
            </svg>
            {name}, from process inks
          </li>
        ))}
      </ul>
      <Text size="sm">
        {heavy
          ? `Total ink ${heavy.found ?? ''} %; ${heavy.wanted ?? most ?? ''} % at most.`
          : most
            ? `Total ink is within ${most} %.`
            : 'The product has no limit of ink.'}
        {isRgb && ' Some of it is RGB, and is prepared for these inks.'}
      </Text>
    </Section>
  )
}

/** All revisions of the proof with what was decided on each, and all print files. */
export function Revisions({
  line,
  files,
  onCompare,
}: {
  line: Line
  files: readonly File[]
  onCompare: (under: string, over: string) => void
}) {
  if (line.proofs.length === 0 && files.length < 2) return null
  return (
    <Section title="Revisions">
      <ul className={classes.revisions}>
        {line.proofs.toReversed().map((proof) => (
          <OneRevision key={proof.revision} line={line} proof={proof} onCompare={onCompare} />
        ))}
        {files.length > 1 &&
          files
            .map((file, at) => ({ file, number: at + 1 }))
            .toReversed()
            .map(({ file, number }) => (
              <li key={file.inspectionId}>
                <div className={classes.revision}>
                  <b>Artwork {number}</b>
                  <Status value={file.status} />
                  <When at={file.attachedOn} />
                  {number > 1 && (
                    <Button
                      variant="subtle"
                      size="compact-xs"
                      onClick={() => onCompare(`file-${number}`, `file-${number - 1}`)}
                    >
                      Compare with artwork {number - 1}
                    </Button>
                  )}
                </div>
                <div className={classes.entry}>{file.fileName}</div>
              </li>
            ))}
      </ul>
    </Section>
  )
}

function OneRevision({
  line,
  proof,
  onCompare,
}: {
  line: Line
  proof: Revision
  onCompare: (under: string, over: string) => void
}) {
  const { revision, createdOn, link, active } = proof
  return (
    <li>
      <div className={classes.revision}>
        <b>Revision {revision}</b>
        {!active && <Status value="INACTIVE" />}
        <When at={createdOn} />
        {link && (
          <Anchor href={link} target="_blank" rel="noreferrer" inherit aria-label={`PDF of revision ${revision}`}>
            PDF
          </Anchor>
        )}
        {revision > 1 && (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => onCompare(`proof-${revision}`, `proof-${revision - 1}`)}
          >
            Compare with revision {revision - 1}
          </Button>
        )}
      </div>
      {decisionsOn(line, proof).map(({ recordedOn, entry }) => (
        <div key={recordedOn + entry} className={classes.entry}>
          {entry} <When at={recordedOn} />
        </div>
      ))}
    </li>
  )
}
