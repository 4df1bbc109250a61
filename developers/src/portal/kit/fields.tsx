import { useEffect, useId, useRef, useState, type InputHTMLAttributes, type ReactNode } from 'react'
import { useFilters } from '../address.tsx'
import { useBusy } from './dialog.tsx'
import { Refused } from './loaded.tsx'

type FieldProps = { label: string; says?: ReactNode; fault?: string | undefined }

/** A text field with its label, what it is for, and what is wrong with it. */
export function TextField({
  label,
  says,
  fault,
  value,
  onChange,
  ...rest
}: FieldProps & { value: string; onChange: (value: string) => void } & Omit<
    InputHTMLAttributes<HTMLInputElement>,
    'value' | 'onChange'
  >) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...rest}
        id={id}
        value={value}
        aria-describedby={says || fault ? `${id}-says` : undefined}
        aria-invalid={fault ? true : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Says id={id} says={says} fault={fault} />
    </div>
  )
}

export function LongField({
  label,
  says,
  fault,
  value,
  onChange,
}: FieldProps & { value: string; onChange: (value: string) => void }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        maxLength={2000}
        dir="auto"
        value={value}
        aria-describedby={says || fault ? `${id}-says` : undefined}
        aria-invalid={fault ? true : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Says id={id} says={says} fault={fault} />
    </div>
  )
}

function Says({ id, says, fault }: { id: string; says: ReactNode; fault: string | undefined }) {
  if (!says && !fault) return null
  return (
    <div id={`${id}-says`}>
      {says && <p className="soft">{says}</p>}
      {fault && <p className="fault">{fault}</p>}
    </div>
  )
}

export type Choice = readonly [value: string, label: string]

export function ChoiceField({
  label,
  says,
  value,
  onChange,
  choices,
}: FieldProps & { value: string; onChange: (value: string) => void; choices: readonly Choice[] }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={says ? `${id}-says` : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {choices.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
      <Says id={id} says={says} fault={undefined} />
    </div>
  )
}

/** A form whose refusal stands above its button. Escape leaves it where it can be left. */
export function Form({
  submit,
  danger = false,
  isPending,
  error,
  onSubmit,
  onCancel,
  children,
}: {
  submit: string
  danger?: boolean
  isPending: boolean
  error: Error | null | undefined
  onSubmit: () => void
  onCancel?: () => void
  children: ReactNode
}) {
  useBusy(isPending)
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) onSubmit()
      }}
    >
      {children}
      <Refused error={error} />
      <div className="row">
        <button type="submit" className={`button ${danger ? 'danger' : 'first'}`} aria-disabled={isPending}>
          {isPending ? 'One moment…' : submit}
        </button>
        {onCancel && (
          <button type="button" className="button" aria-disabled={isPending} onClick={isPending ? undefined : onCancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  )
}

// ---- filters, which the address keeps

/** The few values of a filter side by side, so that one press is enough. */
export function FilterSwitch({ name, label, choices }: { name: string; label: string; choices: readonly Choice[] }) {
  const [filters, change] = useFilters()
  return (
    <div className="segments" role="group" aria-label={label}>
      {choices.map(([value, text]) => (
        <button
          key={value}
          type="button"
          aria-pressed={(filters[name] ?? '') === value}
          onClick={() => change({ [name]: value })}
        >
          {text}
        </button>
      ))}
    </div>
  )
}

export function FilterChoice({ name, label, choices }: { name: string; label: string; choices: readonly Choice[] }) {
  const [filters, change] = useFilters()
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={filters[name] ?? ''} onChange={(event) => change({ [name]: event.currentTarget.value })}>
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Looks a moment after the last key. @param offered values that are often meant */
export function FilterText({
  name,
  label,
  placeholder,
  offered = [],
  inputMode,
}: {
  name: string
  label: string
  placeholder?: string
  offered?: readonly string[]
  inputMode?: 'numeric'
}) {
  const [filters, change] = useFilters()
  const id = useId()
  const inAddress = filters[name] ?? ''
  const [text, setText] = useState(inAddress)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setText(inAddress), [inAddress])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        value={text}
        placeholder={placeholder}
        list={offered.length > 0 ? `${id}-list` : undefined}
        inputMode={inputMode}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          const { value } = event.currentTarget
          setText(value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => change({ [name]: value.trim() }), 300)
        }}
      />
      {offered.length > 0 && (
        <datalist id={`${id}-list`}>
          {offered.map((value) => (
            <option key={value} value={value}>
              {value}
            </option>
          ))}
        </datalist>
      )}
    </div>
  )
}
