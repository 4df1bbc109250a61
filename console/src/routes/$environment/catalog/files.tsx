import { createFileRoute } from '@tanstack/react-router'
import { CsvPage } from '../../../csv/csv-page.tsx'
import { At } from '../../../kit/at.tsx'

export const Route = createFileRoute('/$environment/catalog/files')({
  component: () => (
    <CsvPage kinds={['products', 'variants', 'prices', 'stock']} above={<At to="/catalog">Catalog</At>} />
  ),
})
