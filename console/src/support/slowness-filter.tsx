import { FilterChoice } from '../kit/filters.tsx'

/** How long calls of partners took, at least. */
export function SlownessFilter() {
  return (
    <FilterChoice
      name="slowerThan"
      label="Took at least"
      data={[
        { value: '200', label: '200 ms' },
        { value: '1000', label: '1 s' },
        { value: '5000', label: '5 s' },
      ]}
    />
  )
}
