import { createFileRoute } from '@tanstack/react-router'
import { CsvPage } from '../../../csv/csv-page.tsx'
import { At } from '../../../kit/at.tsx'

export const Route = createFileRoute('/$environment/customers/files')({
  component: () => <CsvPage kinds={['users']} above={<At to="/customers">Customers</At>} />,
})
