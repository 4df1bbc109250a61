import { ActionIcon, Button, Group, Menu, Popover } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { AnswerOf, InputOf, Operation } from '../api/api.ts'
import { useChange } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { useFocusBack } from './focus.ts'
import { LeaveButton } from './leave-button.tsx'
import { useOffers } from './offers.ts'
import { Refused } from './refused.tsx'
import classes from './verbs.module.css'

/**
 * What may be done with a record. The next sensible verb is a button, the rest is in a menu. A verb that needs something,
 * such as a reason, asks for it in place. What the person's roles do not allow is not offered.
 */
export type Verb = {
  op: Operation
  /** "Approve"; with an ellipsis if it asks for more */
  label: string
  danger?: boolean
  /** it makes no sense now */
  hidden?: boolean
  /** not what is done next, even where it is the only button */
  quiet?: boolean
} & (
  | { input: unknown; onDone?: ((answer: never) => void) | undefined; ask?: undefined }
  | { ask: (close: () => void) => ReactNode; input?: undefined; onDone?: undefined }
)

type More = Pick<Verb, 'danger' | 'hidden' | 'quiet'>

/** A verb that is done at once: `verb('approveOrder', 'Approve', { path: { orderNumber } })`. */
export function verb<Id extends Operation>(
  op: Id,
  label: string,
  input: InputOf<Id>,
  more: More & { onDone?: (answer: AnswerOf<Id>) => void } = {},
): Verb {
  return { op, label, input, ...more }
}

/** A verb that asks for more, in a form that makes the change: `asking('cancelOrder', 'Cancel…', (close) => <CancelOrder … />)`. */
export function asking(op: Operation, label: string, ask: (close: () => void) => ReactNode, more: More = {}): Verb {
  return { op, label, ask, ...more }
}

/** A tall form may cover its verb rather than leave the window, and stays while the page below it is scrolled. */
const besideItsVerb = {
  middlewares: { flip: true, shift: { crossAxis: true, padding: 12 } },
  hideDetached: false,
} as const

/** How the button of a menu begins that names what its verbs are for. */
const moreFor = 'More for '

/** @param first how many of the verbs are buttons */
export function Verbs({
  verbs,
  first = 1,
  label = 'More',
}: {
  verbs: readonly Verb[]
  first?: number
  label?: string
}) {
  const may = useMay()
  const offered = verbs.filter(({ op, hidden }) => !hidden && may(op))
  const [asked, setAsked] = useState<Verb | null>(null)
  const more = useRef<HTMLButtonElement>(null)
  const dropdown = useRef<HTMLDivElement>(null)
  const close = () => {
    setAsked(null)
    more.current?.focus()
  }
  const [buttons, rest] = [offered.slice(0, first), offered.slice(first)]
  const about = label.startsWith(moreFor) ? label.slice(moreFor.length) : undefined
  useOffers(
    rest.map((each) => ({
      name: each.label,
      about,
      act: () => {
        more.current?.scrollIntoView({ block: 'nearest' })
        setAsked(each)
      },
    })),
  )
  if (offered.length === 0) return null
  const isAskedInMenu = asked !== null && !buttons.some(({ label: known }) => known === asked.label)
  return (
    <Group gap="xs" className="no-print">
      {buttons.map((each, at) => (
        <VerbButton
          key={each.label}
          verb={each}
          about={about}
          isFirst={at === 0}
          isAsked={asked?.label === each.label}
          onAsk={(open) => setAsked(open ? each : null)}
        />
      ))}
      {rest.length > 0 && (
        <Popover
          opened={isAskedInMenu}
          // The span that holds the menu is no button; the dropdown says itself that it is a dialog.
          withRoles={false}
          closeOnEscape={false}
          // What is going away may take the focus once more.
          onExitTransitionEnd={() => document.activeElement === document.body && more.current?.focus()}
          onChange={(open) => !open && leave(dropdown.current, close)}
          position="bottom-end"
          trapFocus
          withinPortal
          shadow="md"
          width={340}
          {...besideItsVerb}
        >
          <Popover.Target>
            <span>
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon ref={more} variant="default" size={30} aria-label={label}>
                    <IconDots size={16} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  {rest.map((each) => (
                    <Menu.Item key={each.label} color={each.danger ? 'red' : undefined} onClick={() => setAsked(each)}>
                      {each.label}
                    </Menu.Item>
                  ))}
                </Menu.Dropdown>
              </Menu>
            </span>
          </Popover.Target>
          <Popover.Dropdown
            ref={dropdown}
            className={classes.asked}
            role="dialog"
            aria-label={asked?.label ?? label}
            onKeyDown={leaveByEscape(close)}
          >
            {asked && <Asked key={asked.label} verb={asked} close={close} />}
          </Popover.Dropdown>
        </Popover>
      )}
    </Group>
  )
}

/** What was typed is given up by its button only. */
function leave(dropdown: HTMLElement | null, close: () => void): void {
  if (!dropdown?.querySelector('form[data-changed]')) close()
}

function leaveByEscape(close: () => void): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    // Of an open list of choices Escape closes that list.
    const isInList = (event.target as HTMLElement).getAttribute('aria-expanded') === 'true'
    if (event.key !== 'Escape' || isInList) return
    leave(event.currentTarget, close)
    // Where something was typed, Escape leads to the button that gives it up.
    event.currentTarget.querySelector<HTMLElement>('form[data-changed] [data-leaves]')?.focus()
  }
}

/** What a verb of the menu needs; one that needs nothing is done as it is chosen, and stays if it is refused. */
function Asked({ verb: { op, input, ask, label, danger, onDone }, close }: { verb: Verb; close: () => void }) {
  const change = useChange(op, {
    onDone: (answer) => {
      onDone?.(answer as never)
      close()
    },
  })
  const button = useRef<HTMLButtonElement>(null)
  useFocusBack(change.isPending, () => button.current)
  if (ask) return ask(close)
  const run = () => change.mutate(input as never)
  return (
    <Group gap="sm">
      <Refused error={change.error} />
      <Button
        ref={button}
        onClick={run}
        loading={change.isPending}
        aria-busy={change.isPending}
        color={danger ? 'red' : undefined}
        data-autofocus
      >
        {label}
      </Button>
      <LeaveButton beside={label} onClick={close} />
    </Group>
  )
}

function VerbButton({
  verb: each,
  about,
  isFirst,
  isAsked,
  onAsk,
}: {
  verb: Verb
  about: string | undefined
  isFirst: boolean
  isAsked: boolean
  onAsk: (open: boolean) => void
}) {
  const { op, label, input, ask, danger, quiet, onDone } = each
  const change = useChange(op, { onDone: (answer) => onDone?.(answer as never) })
  const isRefused = change.error !== null
  const button = useRef<HTMLButtonElement>(null)
  const dropdown = useRef<HTMLDivElement>(null)
  useFocusBack(change.isPending, () => button.current)
  const close = () => {
    change.reset()
    onAsk(false)
    button.current?.focus()
  }
  const press = () => (ask ? onAsk(!isAsked) : change.mutate(input as never))
  const act = () => {
    button.current?.focus()
    press()
  }
  useOffers([{ name: label, about, act }])
  return (
    <Popover
      opened={isAsked || isRefused}
      closeOnEscape={false}
      // What is going away may take the focus once more.
      onExitTransitionEnd={() => document.activeElement === document.body && button.current?.focus()}
      onChange={(open) => !open && leave(dropdown.current, close)}
      position="bottom-start"
      trapFocus
      shadow="md"
      width={340}
      withinPortal
      {...besideItsVerb}
    >
      <Popover.Target>
        <Button
          ref={button}
          variant={isFirst && !danger && !quiet ? 'filled' : 'default'}
          c={danger ? 'red' : undefined}
          loading={change.isPending}
          aria-busy={change.isPending}
          onClick={press}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown ref={dropdown} className={classes.asked} aria-label={label} onKeyDown={leaveByEscape(close)}>
        {ask && isAsked ? ask(close) : <Refused error={change.error} />}
      </Popover.Dropdown>
    </Popover>
  )
}
