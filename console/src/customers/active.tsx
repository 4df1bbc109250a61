import { Status } from '../kit/status.tsx'

/** Whether a record is in use. */
export function Active({ is }: { is: boolean }) {
  return <Status value={is ? 'ACTIVE' : 'INACTIVE'} />
}

export const activeChoices = [
  { value: 'true', label: 'Active' },
  { value: 'false', label: 'Inactive' },
]
