import { FileButton, Button, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { Refused } from '../kit/refused.tsx'
import { inWords, Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import classes from './order.module.css'
import { hasArtwork, isOpen, type Line, type Order } from './order.ts'
import { uploadFile } from './upload.ts'

/** The print files of a line with what inspection says of them, and a way to add one. */
export function LineFiles({ order, line }: { order: Order; line: Line }) {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const may = useMay()
  const path = { orderNumber: order.orderNumber, lineNumber: line.lineNumber }
  const inspected = useQuery(read(environment, 'readLineArtwork', { path }, { live: ['line', 'inspection'] }))
  const attach = useMutation({
    mutationFn: async (file: File) => {
      const reservationName = await uploadFile(environment, path, file, file.name)
      return call('attachPrintFile', environment, { path, body: { reservationName } })
    },
    onSuccess: () => queries.invalidateQueries(),
  })
  if (line.printFiles.length === 0 && !(isOpen(line) && may('attachPrintFile'))) return null
  return (
    <section aria-label={`Print files of line ${line.lineNumber}`}>
      <Group justify="space-between">
        <h3>Print files</h3>
        {isOpen(line) && may('attachPrintFile') && (
          <FileButton onChange={(file) => file && attach.mutate(file)} inputProps={{ 'aria-label': 'Print file' }}>
            {(props) => (
              <Button {...props} className="no-print" variant="default" loading={attach.isPending}>
                Add a print file…
              </Button>
            )}
          </FileButton>
        )}
      </Group>
      <Refused error={attach.error} />
      {!hasArtwork(line) && (
        <p className={classes.soft}>
          The customer sent no file yet. The line stays in prepress until one is added here.
        </p>
      )}
      <ul className={classes.notes}>
        {line.printFiles.toReversed().map((file, place) => {
          const found = inspected.data?.files.find(
            ({ md5, fileName }) => md5 === file.md5 && fileName === file.fileName,
          )
          return (
            <li key={`${file.md5} ${file.attachedOn}`}>
              {file.link ? (
                <a href={file.link} target="_blank" rel="noreferrer" dir="auto">
                  {file.fileName}
                </a>
              ) : (
                <span dir="auto">{file.fileName}</span>
              )}{' '}
              <span className={classes.soft}>
                {sizeOf(file.sizeBytes)} · <When at={file.attachedOn} />
              </span>{' '}
              {found && <Status value={found.status} />}
              {place > 0 && <span className={classes.soft}> · replaced by a newer file</span>}
              {found && found.findings.length > 0 && (
                <ul className={classes.found}>
                  {found.findings.slice(0, 8).map((finding, at) => (
                    <li key={at}>
                      <Status value={finding.severity} label={inWords(finding.code)} />{' '}
                      <span className={classes.soft}>{finding.message}</span>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
