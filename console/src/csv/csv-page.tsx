import { Select, Stack, Tabs, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMay } from '../api/session.ts'
import { Empty } from '../kit/empty.tsx'
import { useUrlState } from '../kit/filters.tsx'
import { PageHead } from '../kit/page-head.tsx'
import { useSiteFilter, useSites } from '../shell/sites.ts'
import { CsvExchange } from './csv-exchange.tsx'
import { csvFiles, type CsvKind } from './csv-files.ts'

/** Files of a site, by kind. */
export function CsvPage({ kinds, above }: { kinds: readonly CsvKind[]; above: ReactNode }) {
  const may = useMay()
  const sites = useSites()
  const siteId = useSiteFilter()
  const [state, set] = useUrlState()
  const offered = kinds.filter((kind) => may(csvFiles[kind].reads))
  const kind = offered.find((each) => each === state.kind) ?? offered[0]
  return (
    <>
      <PageHead
        title="CSV files"
        above={above}
        about="Change many records of a site in a spreadsheet, and see what would change before it does."
      />
      <Stack gap="sm" px={{ base: 'md', sm: 'lg' }} pb="lg">
        <Select
          label="Site"
          w={280}
          maw="100%"
          searchable
          placeholder="Choose a site"
          data={sites.map((site) => ({ value: String(site.siteId), label: site.name }))}
          value={siteId === undefined ? null : String(siteId)}
          onChange={(value) => set({ site: value ?? undefined })}
        />
        {siteId === undefined ? (
          <Empty title="Choose a site">A file has the records of one site.</Empty>
        ) : kind === undefined ? (
          <Text size="sm">Your roles read none of these files.</Text>
        ) : (
          <Tabs value={kind} onChange={(value) => set({ kind: value ?? undefined })}>
            <Tabs.List aria-label="Kind of file" mb="sm">
              {offered.map((each) => (
                <Tabs.Tab key={each} value={each}>
                  {csvFiles[each].name}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={kind}>
              <CsvExchange key={`${kind} ${siteId}`} kind={kind} id={siteId} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Stack>
    </>
  )
}
