import { useId } from 'react'
import { useFilters } from '../address.tsx'
import { zoneName } from '../kit/when.tsx'
import { isTime, minute, spans } from './times.ts'

/** @param kept how far back the records go */
export function TimeFilter({ kept }: { kept: string }) {
  const [{ last, since, until }, change] = useFilters()
  const id = useId()
  const isOwn = last === 'own' || (last === undefined && (since !== undefined || until !== undefined))
  return (
    <>
      <div className="field">
        <label htmlFor={id}>Time</label>
        <select
          id={id}
          value={isOwn ? 'own' : (last ?? '')}
          onChange={({ currentTarget }) => change({ last: currentTarget.value, since: undefined, until: undefined })}
        >
          <option value="">{kept}</option>
          {Object.entries(spans).map(([name, { label }]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
          <option value="own">From … to …</option>
        </select>
      </div>
      {isOwn && (
        <>
          <TimeField
            label={`From (${zoneName()})`}
            value={since}
            onChange={(at) => change({ since: at, last: 'own' })}
          />
          <TimeField
            label={`Before (${zoneName()})`}
            value={until}
            onChange={(at) => change({ until: at, last: 'own' })}
          />
        </>
      )}
    </>
  )
}

function TimeField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | undefined
  onChange: (at: string | undefined) => void
}) {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        type="datetime-local"
        defaultValue={value && isTime(value) ? localText(new Date(value)) : ''}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value ? new Date(currentTarget.value).toISOString() : undefined)
        }
      />
    </label>
  )
}

function localText(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * minute).toISOString().slice(0, 16)
}
