import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { revisionOf, type AnswerOf, type BodyOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { useUrlState } from '../kit/filters.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { Sheet, useSheet, type SheetColumn } from '../kit/sheet.tsx'
import { inWords } from '../kit/status.tsx'
import { useEnvironment } from '../shell/environment.ts'

const kinds = ['hold', 'cancel', 'decline', 'problem', 'refund', 'return', 'reprint', 'override'] as const
type Kind = (typeof kinds)[number]
type Reasons = AnswerOf<'readReasons'>

/** The reasons among which people choose, in the order in which they are offered. */
export function ReasonLists() {
  const [state, set] = useUrlState()
  const kind = kinds.find((each) => each === state['kind']) ?? 'hold'
  const reasons = useQuery(read(useEnvironment(), 'readReasons', { path: { reasonKind: kind } }))
  return (
    <PageBody>
      <div style={{ overflowX: 'auto' }}>
        <SegmentedControl
          aria-label="Reasons for"
          mb="sm"
          data={kinds.map((value) => ({ value, label: inWords(value) }))}
          value={kind}
          onChange={(value) => set({ kind: value === 'hold' ? undefined : value })}
        />
      </div>
      <Loaded query={reasons}>{(found) => <ReasonTable key={kind} kind={kind} found={found} />}</Loaded>
    </PageBody>
  )
}

type Source = NonNullable<BodyOf<'replaceReasons'>['reasons'][number]['artworkSource']>
const sources = [
  { value: '', label: 'Every line' },
  ...(['TEMPLATE', 'UPLOAD', 'ON_FILE', 'NONE', 'UNKNOWN'] as const).map((value) => ({ value, label: inWords(value) })),
]

function ReasonTable({ kind, found }: { kind: Kind; found: Reasons }) {
  const may = useMay()
  const used = new Set(found.reasons.filter((reason) => reason.used).map(({ code }) => code))
  const sheet = useSheet('replaceReasons', {
    rows: found.reasons.map(({ code, label, description, artworkSource, active }) => ({
      code,
      label,
      description: description ?? '',
      artworkSource: artworkSource ?? '',
      active: active ? 'yes' : '',
    })),
    revision: revisionOf(found),
    input: (rows) => ({
      path: { reasonKind: kind },
      body: {
        reasons: rows.map((row) => ({
          code: row['code'] ?? '',
          label: row['label'] ?? '',
          description: row['description'] || null,
          ...(kind === 'decline' && { artworkSource: (row['artworkSource'] || null) as Source | null }),
          active: row['active'] === 'yes',
        })),
      },
    }),
  })
  const columns: readonly SheetColumn[] = [
    { name: 'code', label: 'Code', width: 200, isFixed: ({ code }) => used.has(code ?? '') },
    { name: 'label', label: 'What people choose by', width: 260 },
    { name: 'description', label: 'Text for customers', width: 300 },
    ...(kind === 'decline' ? [{ name: 'artworkSource', label: 'For artwork from', choices: sources, width: 140 }] : []),
    { name: 'active', label: 'Offered', choices: 'flag' },
  ]
  return (
    <Sheet
      label={`Reasons: ${inWords(kind)}`}
      sheet={sheet}
      columns={columns}
      blank={{ code: '', label: '', description: '', artworkSource: '', active: 'yes' }}
      pathOf={(row, column) => `reasons[${row}].${column}`}
      save="Save the reasons"
      mayEdit={may('replaceReasons')}
      canRemove={({ code }) => !used.has(code ?? '')}
      addRow="Add a reason"
    />
  )
}
