import { useQuery } from '@tanstack/react-query'
import { revisionOf, type AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { Loaded } from '../kit/loaded.tsx'
import { Section } from '../kit/section.tsx'
import { Sheet, useSheet, type SheetColumn } from '../kit/sheet.tsx'
import { useEnvironment } from '../shell/environment.ts'

const columns: readonly SheetColumn[] = [
  { name: 'countryCode', label: 'Country', width: 80, placeholder: 'US' },
  { name: 'stateCode', label: 'State', width: 80, placeholder: 'CA' },
  { name: 'percent', label: 'Percent', width: 90, align: 'end', placeholder: '7.25' },
  { name: 'shippingTaxed', label: 'Delivery taxed', choices: 'flag' },
  { name: 'handlingTaxed', label: 'Handling taxed', choices: 'flag' },
]

/** What is added to orders that go to a state. */
export function SiteTaxes({ siteId, taxBy }: { siteId: number; taxBy: string }) {
  const taxes = useQuery(read(useEnvironment(), 'readTaxes', { path: { siteId } }))
  return (
    <Section title="Taxes">
      {taxBy === 'SERVICE' && (
        <p>A tax service decides on this site. The table is used where the service is not asked.</p>
      )}
      <Loaded query={taxes}>{(found) => <TaxTable siteId={siteId} table={found} />}</Loaded>
    </Section>
  )
}

function TaxTable({ siteId, table }: { siteId: number; table: AnswerOf<'readTaxes'> }) {
  const may = useMay()
  const sheet = useSheet('replaceTaxes', {
    rows: table.taxes.map(({ countryCode, stateCode, percent, shippingTaxed, handlingTaxed }) => ({
      countryCode,
      stateCode,
      percent,
      shippingTaxed: shippingTaxed ? 'yes' : '',
      handlingTaxed: handlingTaxed ? 'yes' : '',
    })),
    revision: revisionOf(table),
    input: (rows) => ({
      path: { siteId },
      body: {
        taxes: rows.map((row) => ({
          countryCode: row['countryCode'] ?? '',
          stateCode: row['stateCode'] ?? '',
          percent: row['percent'] ?? '',
          shippingTaxed: row['shippingTaxed'] === 'yes',
          handlingTaxed: row['handlingTaxed'] === 'yes',
        })),
      },
    }),
  })
  return (
    <Sheet
      label="Taxes"
      sheet={sheet}
      columns={columns}
      blank={{ countryCode: 'US', stateCode: '', percent: '', shippingTaxed: '', handlingTaxed: '' }}
      pathOf={(row, column) => `taxes[${row}].${column}`}
      save="Save the taxes"
      mayEdit={may('replaceTaxes')}
      addRow="Add a state"
    />
  )
}
