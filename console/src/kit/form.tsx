import {
  Alert,
  Anchor,
  Button,
  Checkbox,
  Group,
  MultiSelect,
  PasswordInput,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import type { AnswerOf, Extra, InputOf, Operation } from '../api/api.ts'
import { isRefusal, Refusal } from '../api/problems.ts'
import { useChange } from '../api/queries.ts'
import { useEnvironment } from '../shell/environment.ts'
import { useFocusBack } from './focus.ts'
import { LeaveButton } from './leave-button.tsx'
import { Refused } from './refused.tsx'

/** Forms that make one change. A refusal stands at the field it names, by the path that the service tells. */

type Value = string | boolean | readonly string[] | null
type Values = Record<string, Value>

export type FormState<Given extends Values> = {
  values: Given
  set: <Name extends keyof Given & string>(name: Name, value: Given[Name]) => void
  /** what the service says of the field at this path */
  faultAt: (path: string) => string | undefined
  /** fields say which paths they show, so that no fault is said twice and none is lost */
  shown: Set<string>
  error: Error | null
  isPending: boolean
  hasChanged: boolean
  /** what is typed is kept as a draft */
  isKept: boolean
  /** it changes a record that is there, by its revision */
  edits: boolean
  /** somebody changed the record since it was read */
  isOutdated: boolean
  /** what others made of fields in which something else was typed here */
  theirs: Partial<Given>
  submit: () => void
  reset: (values?: Given) => void
}

type Settings<Given extends Values, Id extends Operation> = {
  initial: Given
  /** what is sent */
  input: (values: Given) => InputOf<Id> & Extra
  onDone?: (answer: AnswerOf<Id>, values: Given) => void
  /**
   * `revisionOf` the record from which `initial` is. A change that somebody made in between is then not overwritten: the
   * record is read anew, and the newer values stand beside what was typed.
   */
  revision?: string | undefined
  /** what is typed is kept under this name until it is sent, also when the page is loaded anew */
  draft?: string
}

export function useForm<Id extends Operation, Given extends Values>(
  id: Id,
  settings: Settings<Given, Id>,
): FormState<Given> {
  const { initial, input, onDone, revision } = settings
  const environment = useEnvironment()
  const draft = settings.draft && `${draftPrefix}${environment}:${settings.draft}`
  const [base, setBase] = useState({ values: initial, revision })
  const [values, setValues] = useState<Given>(() => ({ ...initial, ...kept(draft) }))
  const [hasChanged, setHasChanged] = useState(() => kept(draft) !== undefined)
  const [isOutdated, setIsOutdated] = useState(false)
  const [theirs, setTheirs] = useState<Partial<Given>>({})
  const [shown] = useState(() => new Set<string>())
  const queries = useQueryClient()
  // Told by the change itself, since reading the page anew may take this form away.
  const change = useChange(id, {
    onDone: (answer) => {
      forget()
      onDone?.(answer, values)
    },
  })
  useEffect(() => {
    if (draft && hasChanged) sessionStorage.setItem(draft, JSON.stringify(values))
  }, [draft, hasChanged, values])

  // What this very form has just saved is not another person's change.
  if (revision !== undefined && revision !== base.revision && !change.isPending) {
    setBase({ values: initial, revision })
    if (hasChanged) {
      const met = meet(base.values, values, initial)
      setValues(met.values)
      setTheirs(met.theirs)
      setIsOutdated(true)
    } else setValues(initial)
  }

  function forget() {
    if (draft) sessionStorage.removeItem(draft)
    setHasChanged(false)
    setIsOutdated(false)
    setTheirs({})
  }
  const faults = change.error instanceof Refusal ? change.error.faults : []
  return {
    values,
    set: (name, value) => {
      setHasChanged(true)
      setValues((before) => ({ ...before, [name]: value }))
      if (isSame(theirs[name], value)) setTheirs(({ [name]: _taken, ...others }) => others as Partial<Given>)
    },
    faultAt: (path) => faults.find((fault) => fault.path === path)?.detail,
    shown,
    error: change.error,
    isPending: change.isPending,
    hasChanged,
    isKept: draft !== undefined,
    edits: base.revision !== undefined,
    isOutdated,
    theirs,
    submit: () =>
      change.mutate(base.revision === undefined ? input(values) : { ...input(values), ifMatch: base.revision }, {
        onError: (error) => {
          if (!isRefusal(error, 'precondition_failed')) return
          setIsOutdated(true)
          void queries.invalidateQueries()
        },
      }),
    reset: (next = initial) => {
      forget()
      change.reset()
      setValues(next)
    },
  }
}

/** As `useForm`, for what is more than one change: `send` does it, and its refusals stand at their fields. */
export function useFields<Given extends Values>(
  initial: Given,
  send: (values: Given) => Promise<unknown>,
): FormState<Given> {
  const [values, setValues] = useState(initial)
  const [hasChanged, setHasChanged] = useState(false)
  const [shown] = useState(() => new Set<string>())
  // Two presses of one moment come before anything is drawn.
  const isUnderWay = useRef(false)
  const sending = useMutation({
    mutationFn: send,
    onSettled: () => {
      isUnderWay.current = false
    },
  })
  const faults = sending.error instanceof Refusal ? sending.error.faults : []
  return {
    values,
    set: (name, value) => {
      setHasChanged(true)
      setValues((before) => ({ ...before, [name]: value }))
    },
    faultAt: (path) => faults.find((fault) => fault.path === path)?.detail,
    shown,
    error: sending.error,
    isPending: sending.isPending,
    hasChanged,
    isKept: false,
    isOutdated: false,
    theirs: {},
    edits: false,
    submit: () => {
      if (isUnderWay.current) return
      isUnderWay.current = true
      sending.mutate(values)
    },
    reset: (next = initial) => {
      setHasChanged(false)
      sending.reset()
      setValues(next)
    },
  }
}

/** What was typed onto the newer record: untouched fields take the newer value, the others keep what was typed. */
function meet<Given extends Values>(base: Given, typed: Given, newer: Given) {
  const values = { ...newer }
  const theirs: Partial<Given> = {}
  for (const name of Object.keys(typed) as (keyof Given)[]) {
    if (isSame(typed[name], base[name])) continue
    values[name] = typed[name]
    if (!isSame(newer[name], base[name]) && !isSame(newer[name], typed[name])) theirs[name] = newer[name]
  }
  return { values, theirs }
}

function isSame(one: Value | undefined, other: Value | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

const draftPrefix = 'draft:'

/** What one person left half done is not shown to the next. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(draftPrefix)) sessionStorage.removeItem(key)
}

function kept(draft: string | undefined): Values | undefined {
  const text = draft === undefined ? null : sessionStorage.getItem(draft)
  return text === null ? undefined : (JSON.parse(text) as Values)
}

/** The fields, what was refused that no field shows, and the button, which names what it does. */
export function Form<Given extends Values>({
  form,
  submit,
  danger = false,
  onCancel,
  children,
}: {
  form: FormState<Given>
  submit: string
  danger?: boolean
  onCancel?: (() => void) | undefined
  children: ReactNode
}) {
  const own = useRef<HTMLFormElement>(null)
  // The button that sends is disabled meanwhile, and the keyboard leaves it. It goes on at what was refused.
  useFocusBack(
    form.isPending,
    () => own.current?.querySelector('[aria-invalid="true"]') ?? own.current?.querySelector('[type="submit"]'),
  )
  const send = (event: FormEvent) => {
    event.preventDefault()
    form.submit()
  }
  const clashes = Object.keys(form.theirs).length
  const isSaved = useJustSaved(form)
  // A page has many forms in place; the one in which something was typed stands out.
  const isQuiet = form.edits && !form.hasChanged
  return (
    <form
      ref={own}
      onSubmit={send}
      data-changed={form.hasChanged || undefined}
      // What is being sent is left for the page that shows it.
      data-unsaved={(form.hasChanged && !form.isKept && !form.isPending) || undefined}
    >
      <Stack gap="sm">
        {children}
        {form.isOutdated && <Outdated count={clashes} />}
        {!isRefusal(form.error, 'precondition_failed') && <Refused error={form.error} except={[...form.shown]} />}
        <Group gap="xs" className="no-print">
          <Button
            type="submit"
            variant={isQuiet ? 'default' : 'filled'}
            loading={form.isPending}
            aria-busy={form.isPending}
            color={danger || clashes > 0 ? 'red' : undefined}
          >
            {clashes > 0 ? `${submit} over theirs` : submit}
          </Button>
          {isSaved && <Saved />}
          {form.edits && form.hasChanged && !onCancel && (
            <Button variant="subtle" color="gray" onClick={() => form.reset()}>
              Undo
            </Button>
          )}
          {onCancel && <LeaveButton beside={submit} onClick={onCancel} />}
        </Group>
      </Stack>
    </form>
  )
}

/** Whether an edit was saved, and nothing typed since. */
function useJustSaved<Given extends Values>({ edits, isPending, hasChanged, error }: FormState<Given>): boolean {
  const [isSaved, setIsSaved] = useState(false)
  const wasPending = useRef(false)
  useEffect(() => {
    if (hasChanged || isPending) setIsSaved(false)
    else if (wasPending.current && edits && error === null) setIsSaved(true)
    wasPending.current = isPending
  }, [edits, isPending, hasChanged, error])
  return isSaved
}

function Saved() {
  return (
    <Group gap={4} c="var(--good)">
      <IconCheck size={16} aria-hidden />
      <Text size="sm" c="var(--good)">
        Saved
      </Text>
    </Group>
  )
}

/** Told where people press, since the top of a long form may be out of sight. */
function Outdated({ count }: { count: number }) {
  return (
    <Alert color="yellow" role="alert" p="xs" title="Somebody changed it meanwhile">
      <Text size="sm">
        {count > 0
          ? 'Nothing is saved yet, and what you typed is still here. Where you both changed a field, theirs stands at it.'
          : 'Nothing is saved yet. What you typed is still here, and the other fields show what is there now.'}
      </Text>
    </Alert>
  )
}

type FieldProps<Given extends Values> = {
  form: FormState<Given>
  name: keyof Given & string
  label: string
  /** where the service tells faults of it, if not at its name */
  path?: string
  description?: ReactNode
  required?: boolean
  disabled?: boolean
  placeholder?: string
}

type Tell = (value: Value) => string

function bound<Given extends Values>(
  { form, name, path = name, description, ...rest }: FieldProps<Given>,
  tell: Tell = (value) => (Array.isArray(value) ? value.join(', ') : value === null ? '' : String(value)),
) {
  form.shown.add(path)
  const newer = form.theirs[name]
  return {
    ...rest,
    name,
    error: form.faultAt(path),
    description:
      newer === undefined ? (
        description
      ) : (
        <>
          {description} <Newer text={tell(newer)} onTake={() => form.set(name, newer)} />
        </>
      ),
  }
}

/** What is there now, below what was typed. */
function Newer({ text, onTake }: { text: string; onTake: () => void }) {
  return (
    <Text component="span" inherit c="var(--warn)" data-newer>
      Now: {text || 'nothing'}.{' '}
      <Anchor component="button" type="button" inherit underline="always" onClick={onTake}>
        Take theirs
      </Anchor>
    </Text>
  )
}

type Choice = string | { value: string; label: string }

/** The words by which people chose a value. */
function labelsOf(data: readonly Choice[]): Tell {
  const labels = new Map(data.map((each) => (typeof each === 'string' ? [each, each] : [each.value, each.label])))
  const told = (value: string) => labels.get(value) ?? value
  return (value) => (Array.isArray(value) ? value.map(told).join(', ') : typeof value === 'string' ? told(value) : '')
}

/** What is set is shown by its id while its name is not known, since an empty field would say that nothing is set. */
function withChosen(data: readonly Choice[], chosen: readonly string[]): Choice[] {
  const offered = new Set(data.map((each) => (typeof each === 'string' ? each : each.value)))
  return [...data, ...chosen.filter((value) => !offered.has(value))]
}

const textOf = (value: Value | undefined) => (typeof value === 'string' ? value : '')

export function TextField<Given extends Values>(
  props: FieldProps<Given> & {
    inputMode?: 'numeric' | 'decimal' | 'email' | 'url'
    type?: 'date'
    autoFocus?: boolean
  },
) {
  const { form, name } = props
  const { inputMode, type, autoFocus, ...given } = props
  return (
    <TextInput
      {...bound(given)}
      type={type}
      inputMode={inputMode}
      data-autofocus={autoFocus}
      autoComplete="off"
      value={textOf(form.values[name])}
      onChange={(event) => form.set(name, event.currentTarget.value as Given[typeof name])}
    />
  )
}

export function SecretField<Given extends Values>(props: FieldProps<Given>) {
  const { form, name } = props
  return (
    <PasswordInput
      {...bound(props)}
      autoComplete="new-password"
      value={textOf(form.values[name])}
      onChange={(event) => form.set(name, event.currentTarget.value as Given[typeof name])}
    />
  )
}

export function LongField<Given extends Values>(props: FieldProps<Given> & { rows?: number }) {
  const { form, name } = props
  const { rows, ...given } = props
  return (
    <Textarea
      {...bound(given)}
      autosize
      minRows={rows ?? 2}
      value={textOf(form.values[name])}
      onChange={(event) => form.set(name, event.currentTarget.value as Given[typeof name])}
    />
  )
}

export function ChoiceField<Given extends Values>(
  props: FieldProps<Given> & { data: readonly Choice[]; clearable?: boolean; searchable?: boolean },
) {
  const { form, name } = props
  const { data, clearable = false, searchable = false, ...given } = props
  const value = textOf(form.values[name]) || null
  return (
    <Select
      {...bound(given, labelsOf(data))}
      data={withChosen(data, value === null ? [] : [value])}
      clearable={clearable}
      searchable={searchable}
      allowDeselect={clearable}
      comboboxProps={{ withinPortal: false }}
      value={value}
      onChange={(next) => form.set(name, next as Given[typeof name])}
    />
  )
}

export function ChoicesField<Given extends Values>(props: FieldProps<Given> & { data: readonly Choice[] }) {
  const { form, name } = props
  const { data, ...given } = props
  const chosen = form.values[name]
  const value: string[] = Array.isArray(chosen) ? [...chosen] : []
  return (
    <MultiSelect
      {...bound(given, labelsOf(data))}
      data={withChosen(data, value)}
      searchable
      comboboxProps={{ withinPortal: false }}
      value={value}
      onChange={(next) => form.set(name, next as unknown as Given[typeof name])}
    />
  )
}

export function FlagField<Given extends Values>(props: FieldProps<Given>) {
  const { form, name } = props
  return (
    <Checkbox
      {...bound(props, (value) => (value === true ? 'on' : 'off'))}
      checked={form.values[name] === true}
      onChange={(event) => form.set(name, event.currentTarget.checked as Given[typeof name])}
    />
  )
}
