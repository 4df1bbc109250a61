import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { revisionOf, type AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { Loaded } from '../kit/loaded.tsx'
import { numberTyped } from '../kit/number.ts'
import { Sheet, useSheet, type SheetColumn, type SheetRow } from '../kit/sheet.tsx'
import { useEnvironment } from '../shell/environment.ts'

type Rates = AnswerOf<'readShippingRates'>

/** What a service costs: one row for each weight, one column for each zone. */
export function ServiceRates({ siteId, shippingServiceId }: { siteId: number; shippingServiceId: number }) {
  const path = { siteId, shippingServiceId }
  const rates = useQuery(read(useEnvironment(), 'readShippingRates', { path }))
  return <Loaded query={rates}>{(found) => <RateTable path={path} rates={found} />}</Loaded>
}

function RateTable({ path, rates }: { path: { siteId: number; shippingServiceId: number }; rates: Rates }) {
  const may = useMay()
  const [added, setAdded] = useState<readonly string[]>([])
  const zones = [...new Set([...rates.rates.map(({ zone }) => String(zone ?? '')), ...added])].toSorted(
    (one, other) => Number(one) - Number(other),
  )
  const shown = zones.length === 0 ? [''] : zones
  const mayEdit = may('replaceShippingRates')
  const sheet = useSheet('replaceShippingRates', {
    rows: gridOf(rates),
    revision: revisionOf(rates),
    input: (rows) => ({
      path,
      body: {
        rates: cellsOf(rows, shown).map(({ row, zone }) => ({
          zone: zone === '' ? null : numberTyped(zone),
          upToOunces: rows[row]!['upToOunces'] ?? '',
          price: rows[row]![`zone${zone}`]!,
        })),
      },
    }),
  })
  const columns: readonly SheetColumn[] = [
    { name: 'upToOunces', label: 'Up to ounces', width: 110, align: 'end' },
    ...shown.map((zone): SheetColumn => ({
      name: `zone${zone}`,
      label: zone === '' ? 'All zones' : `Zone ${zone}`,
      width: 90,
      align: 'end',
    })),
  ]
  const cells = cellsOf(sheet.rows, shown)
  const next = String(Math.max(0, ...zones.map(Number)) + 1)
  return (
    <>
      <Sheet
        label="Rates"
        sheet={sheet}
        columns={columns}
        blank={{ upToOunces: '' }}
        pathOf={(row, column) => {
          const isWeight = column === 'upToOunces'
          const at = cells.findIndex((cell) => cell.row === row && (isWeight || `zone${cell.zone}` === column))
          return `rates[${at}].${isWeight ? 'upToOunces' : 'price'}`
        }}
        save="Save the rates"
        mayEdit={mayEdit}
        addRow="Add a weight"
      />
      {mayEdit && !zones.includes('') && (
        <Button variant="subtle" mt="xs" onClick={() => setAdded([...added, next])}>
          Add zone {next}
        </Button>
      )}
    </>
  )
}

/** One row for each weight, in rising order. */
function gridOf({ rates }: Rates): SheetRow[] {
  const rows = new Map<string, Record<string, string>>()
  for (const { zone, upToOunces, price } of rates) {
    const row = rows.get(upToOunces) ?? { upToOunces }
    row[`zone${zone ?? ''}`] = price
    rows.set(upToOunces, row)
  }
  return [...rows.values()].toSorted((one, other) => Number(one['upToOunces']) - Number(other['upToOunces']))
}

/** The cells with a price, in the order in which they are sent. */
function cellsOf(rows: readonly SheetRow[], zones: readonly string[]): { row: number; zone: string }[] {
  return rows.flatMap((row, at) =>
    zones.filter((zone) => (row[`zone${zone}`] ?? '').trim() !== '').map((zone) => ({ row: at, zone })),
  )
}
