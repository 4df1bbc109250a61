import { Alert, Button, FileButton, Group, Loader, Stack, Text } from '@mantine/core'
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type DragEvent } from 'react'
import { useMay } from '../api/session.ts'
import { countOf } from '../kit/number.ts'
import { Refused } from '../kit/refused.tsx'
import { useEnvironment } from '../shell/environment.ts'
import dropClasses from '../kit/drop.module.css'
import { csvFiles, type CsvFile, type CsvKind } from './csv-files.ts'
import { CsvReport } from './csv-report.tsx'
import { readSheet, type Sheet } from './read-sheet.ts'

/** the service takes no larger file */
const bytesMax = 8_388_608

type Chosen = { name: string; sheet: Sheet }
type Sending = {
  sheet: Sheet
  /** the rows with which a dry run compared it; null = they could not be read; absent = this is the dry run */
  before?: Sheet['rows'] | null
}

/**
 * Downloads the file of a kind, and imports one: what it would change is shown row by row before anything is changed.
 * @param id of the site; of the fulfilment center for zones
 */
export function CsvExchange({ kind, id }: { kind: CsvKind; id: number }) {
  const file: CsvFile = csvFiles[kind]
  const may = useMay()
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {may(file.reads) && <Download file={file} kind={kind} id={id} />}
        <Text size="sm" c="dimmed">
          {file.about}
        </Text>
      </Group>
      {may(file.changes) && <Import key={`${kind} ${id}`} file={file} id={id} />}
    </Stack>
  )
}

function Download({ file, kind, id }: { file: CsvFile; kind: CsvKind; id: number }) {
  const environment = useEnvironment()
  const download = useMutation({
    mutationFn: () => file.download(environment, id),
    onSuccess: (blob) => save(blob, `${kind}-${id}.csv`),
  })
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={14} />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        Download {file.name.toLowerCase()}
      </Button>
      <Refused error={download.error} />
    </>
  )
}

/** Leaves a file in the person's downloads. */
function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

function Import({ file, id }: { file: CsvFile; id: number }) {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [refusedFile, setRefusedFile] = useState<string | null>(null)
  const [isOver, setIsOver] = useState(false)
  const may = useMay()
  const send = useMutation({
    mutationFn: async ({ sheet, before }: Sending) => {
      const [report, now] = await Promise.all([
        file.send(environment, id, new Blob([sheet.text], { type: 'text/csv' }), before === undefined),
        before ?? (may(file.reads) ? rowsNow() : null),
      ])
      return { report, now }
    },
    onSuccess: ({ report: { imported } }) => (imported ? queries.invalidateQueries() : undefined),
  })
  /** The totals of the service are told even where what is there now cannot be read. */
  const rowsNow = () =>
    file.download(environment, id).then(
      async (blob) => readSheet(await blob.arrayBuffer()).rows,
      () => null,
    )

  const choose = async (given: File | null | undefined) => {
    if (!given) return
    send.reset()
    setChosen(null)
    setRefusedFile(null)
    if (given.size > bytesMax) return setRefusedFile(`${given.name} is larger than 8 MB. Split it into several files.`)
    const sheet = readSheet(await given.arrayBuffer())
    if (sheet.rows.length === 0) return setRefusedFile(`${given.name} is empty. Its first row must name the columns.`)
    setChosen({ name: given.name, sheet })
    send.mutate({ sheet })
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    void choose(event.dataTransfer.files[0])
  }
  const { report, now } = send.data ?? {}
  const rowCount = chosen ? chosen.sheet.rows.length - 1 : 0
  return (
    <Stack gap="sm">
      <div
        className={dropClasses.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <IconFileSpreadsheet size={18} aria-hidden />
        <FileButton
          accept=".csv,.txt,text/csv"
          onChange={(given) => void choose(given)}
          inputProps={{ 'aria-label': `File of ${file.name.toLowerCase()}` }}
        >
          {(props) => (
            <Button {...props} variant="default">
              Choose a file…
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          or drop it here. It is checked first; nothing changes before you import it.
        </Text>
      </div>
      {refusedFile !== null && (
        <Alert color="red" role="alert" p="xs">
          {refusedFile}
        </Alert>
      )}
      {chosen?.sheet.hints.map((hint) => (
        <Alert key={hint} color="yellow" role="status" p="xs">
          {hint}
        </Alert>
      ))}
      {send.isPending && (
        <Group gap="xs" role="status">
          <Loader size="xs" aria-hidden />
          <Text size="sm">
            {send.variables.before === undefined ? 'Checking' : 'Importing'} {countOf(rowCount, 'row')} of{' '}
            {chosen?.name}…
          </Text>
        </Group>
      )}
      <Refused error={send.error} />
      {chosen && report && !send.isPending && (
        <>
          <CsvReport
            key={String(report.dryRun)}
            report={report}
            rows={chosen.sheet.rows}
            now={now ?? null}
            pairing={file.pairing}
            name={chosen.name}
          />
          {report.dryRun && report.errorCount === 0 && (
            <Group gap="xs">
              <Button onClick={() => send.mutate({ sheet: chosen.sheet, before: now ?? null })}>
                Import {countOf(rowCount, 'row')} of {file.name.toLowerCase()}
              </Button>
              <Button variant="subtle" color="gray" onClick={() => setChosen(null)}>
                Cancel
              </Button>
            </Group>
          )}
        </>
      )}
    </Stack>
  )
}
