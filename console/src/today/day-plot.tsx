import classes from './today.module.css'

export type DayFigure = { day: string; value: number }

const width = 280
const height = 64
const step = width / 14

/** Bars of days, the last of them named; a table tells the same to who cannot see it. */
export function DayPlot({ title, unit, days }: { title: string; unit: string; days: readonly DayFigure[] }) {
  const top = Math.max(1, ...days.map(({ value }) => value))
  const yesterday = days.at(-2)
  return (
    <figure className={classes.plot}>
      <figcaption>
        <strong>{title}</strong>
        {yesterday && (
          <span>
            <b className="numbers">{yesterday.value}</b> {unit} yesterday
          </span>
        )}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height + 14}`} aria-hidden>
        {days.map(({ day, value }, at) => {
          const tall = (value / top) * height
          return (
            <rect
              key={day}
              className={day === yesterday?.day ? classes.yesterday : classes.bar}
              x={at * step + 2}
              y={height - tall}
              width={step - 4}
              height={Math.max(tall, 1)}
            >
              <title>{`${inShort(day)}: ${value}`}</title>
            </rect>
          )
        })}
        <text className={classes.tick} x={2} y={height + 12}>
          {days[0] && inShort(days[0].day)}
        </text>
        <text className={classes.tick} x={width - 2} y={height + 12} textAnchor="end">
          today
        </text>
      </svg>
      <table className={classes.unseen}>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">{unit}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, value }) => (
            <tr key={day}>
              <th scope="row">{inShort(day)}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

function inShort(day: string): string {
  return new Date(`${day}T12:00:00Z`).toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })
}
