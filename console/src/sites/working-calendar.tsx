import { Button, Group, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { isRefusal } from '../api/problems.ts'
import type { AnswerOf } from '../api/api.ts'
import { read, useChange } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { useUrlState } from '../kit/filters.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { Refused } from '../kit/refused.tsx'
import { Section } from '../kit/section.tsx'
import { useEnvironment } from '../shell/environment.ts'
import type { Center } from './center-list.tsx'
import classes from './sites.module.css'

type Day = AnswerOf<'readWorkingCalendar'>['days'][number]

/** how many months are shown */
const shown = 3

/** The days on which a plant works, and why. A click closes a working day, or opens a free one. */
export function WorkingCalendar({ center, revision }: { center: Center; revision: string | undefined }) {
  const { fulfilmentCenterId, timeZone } = center
  const [state, set] = useUrlState()
  const may = useMay()
  const path = { fulfilmentCenterId }
  const today = new Date().toLocaleDateString('en-CA', { timeZone })
  const month = /^\d{4}-\d{2}$/.test(state['month'] ?? '') ? state['month']! : today.slice(0, 7)
  const query = { from: `${month}-01`, to: dayBefore(`${later(month, shown)}-01`) }
  const calendar = useQuery(read(useEnvironment(), 'readWorkingCalendar', { path, query }))
  const close = useChange('replaceClosedDays')
  const open = useChange('replaceWorkingDays')
  const mayChange = may('replaceClosedDays') && may('replaceWorkingDays')
  const isChanging = close.isPending || open.isPending
  const ifMatch = revision

  const setClosed = (closedDays: readonly string[]) =>
    close.mutate({ path, body: { closedDays: closedDays.toSorted() }, ifMatch })
  const setWorking = (workingDays: readonly string[]) =>
    open.mutate({ path, body: { workingDays: workingDays.toSorted() }, ifMatch })
  const press = ({ day, why }: Day) => {
    if (isChanging) return
    close.reset()
    open.reset()
    const others = (days: readonly string[]) => days.filter((other) => other !== day)
    if (why === 'CLOSED_DAY') setClosed(others(center.closedDays))
    else if (why === 'WORKING_DAY') setWorking(others(center.workingDays))
    else if (why === 'USUAL') setClosed([...center.closedDays, day])
    else setWorking([...center.workingDays, day])
  }
  const error = close.error ?? open.error
  return (
    <PageBody>
      <Section
        title="Working days"
        actions={
          <Group gap="xs">
            <Button variant="default" onClick={() => set({ month: later(month, -shown) })}>
              Earlier
            </Button>
            <Button variant="default" onClick={() => set({ month: undefined })}>
              Today
            </Button>
            <Button variant="default" onClick={() => set({ month: later(month, shown) })}>
              Later
            </Button>
          </Group>
        }
      >
        <p>
          Dashed days are free. {mayChange && 'Press a working day to close it, a free one to work on it. '}
          Days set by hand have a strong edge. Hours are the cut-off, in {timeZone}.
        </p>
        {isRefusal(error, 'precondition_failed') ? (
          <p role="alert">
            Somebody changed the plants meanwhile, so nothing was changed. The calendar shows what is there now; press
            the day again.
          </p>
        ) : (
          <Refused error={error} />
        )}
        <Loaded query={calendar}>
          {({ days }) => (
            <div className={classes.months}>
              {monthsOf(days).map(([name, ofMonth]) => (
                <Month key={name} name={name} days={ofMonth} today={today} onPress={mayChange ? press : undefined} />
              ))}
            </div>
          )}
        </Loaded>
      </Section>
    </PageBody>
  )
}

function Month(props: {
  name: string
  days: readonly Day[]
  today: string
  onPress: ((day: Day) => void) | undefined
}) {
  const { name, days, today, onPress } = props
  return (
    <div>
      <table className={classes.month}>
        <caption>
          {new Date(`${name}-15T12:00:00Z`).toLocaleDateString('en-GB', { month: 'long', year: 'numeric' })}
        </caption>
        <thead>
          <tr>
            {['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'].map((weekday) => (
              <th key={weekday} scope="col">
                {weekday}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(days).map((week, at) => (
            <tr key={at}>
              {week.map((day, weekday) => (
                <td key={weekday}>{day && <DayCell day={day} isToday={day.day === today} onPress={onPress} />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ul className={classes.holidays}>
        {days
          .filter(({ holiday }) => holiday !== null)
          .map(({ day, holiday }) => (
            <li key={day}>
              {Number(day.slice(8))}: {holiday}
            </li>
          ))}
      </ul>
    </div>
  )
}

const reasons: Readonly<Record<Day['why'], string>> = {
  USUAL: 'works',
  FREE_WEEKDAY: 'free weekday',
  PUBLIC_HOLIDAY: 'public holiday',
  CLOSED_DAY: 'closed by hand',
  WORKING_DAY: 'works, by hand',
}

function DayCell({ day, isToday, onPress }: { day: Day; isToday: boolean; onPress: ((day: Day) => void) | undefined }) {
  const told = [day.day, reasons[day.why], day.holiday, day.cutOffHour !== null && `until ${day.cutOffHour}:00`]
  const label = told.filter(Boolean).join(', ')
  const given = {
    className: classes.day,
    title: label,
    'data-works': day.works,
    'data-by-hand': day.why === 'CLOSED_DAY' || day.why === 'WORKING_DAY',
    'aria-current': isToday ? ('date' as const) : undefined,
  }
  const text = (
    <>
      <span aria-hidden>{isToday ? <strong>{Number(day.day.slice(8))}</strong> : Number(day.day.slice(8))}</span>
      <small aria-hidden>{noteOf(day)}</small>
      <VisuallyHidden>{label}</VisuallyHidden>
    </>
  )
  if (!onPress) {
    return <div {...given}>{text}</div>
  }
  return (
    <button type="button" {...given} onClick={() => onPress(day)}>
      {text}
    </button>
  )
}

function noteOf({ why, cutOffHour }: Day): string {
  if (why === 'PUBLIC_HOLIDAY') return 'holiday'
  if (why === 'CLOSED_DAY') return 'closed'
  return cutOffHour === null ? '' : `${cutOffHour}:00`
}

function monthsOf(days: readonly Day[]): [string, Day[]][] {
  return [...Map.groupBy(days, ({ day }) => day.slice(0, 7))]
}

const order = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']

/** Rows of seven, Monday first. */
function weeksOf(days: readonly Day[]): (Day | undefined)[][] {
  const before = days[0] ? order.indexOf(days[0].weekday) : 0
  const cells = [...Array.from({ length: before }, () => undefined), ...days]
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}

/** `2026-11`, 3 → `2027-02`. */
function later(month: string, months: number): string {
  const [year, of] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, of - 1 + months, 1)).toISOString().slice(0, 7)
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
}
