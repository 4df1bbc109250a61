import { useQuery } from '@tanstack/react-query'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { FilterChoice } from '../kit/filters.tsx'
import { useEnvironment } from '../shell/environment.ts'

/** A filter by plant, of which there are few. Who may not read them, or has one, is not offered it. */
export function PlantFilter() {
  const environment = useEnvironment()
  const may = useMay()('listFulfilmentCenters')
  const { data } = useQuery({ ...read(environment, 'listFulfilmentCenters', {}), enabled: may })
  const centers = data?.fulfilmentCenters ?? []
  if (centers.length < 2) return null
  return (
    <FilterChoice
      name="fulfilmentCenterId"
      label="Plant"
      data={centers.map(({ fulfilmentCenterId, name }) => ({ value: String(fulfilmentCenterId), label: name }))}
    />
  )
}
