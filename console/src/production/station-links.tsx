import classes from './station-links.module.css'
import { columnName, type ColumnId } from './stations.ts'

/** Leads to stations that are beside what the screen shows. */
export function StationLinks({ ids }: { ids: readonly ColumnId[] }) {
  const show = (id: ColumnId) =>
    document.querySelector(`[data-station="${id}"]`)?.scrollIntoView({ inline: 'center', block: 'nearest' })
  return (
    <nav className={`${classes.links} no-print`} aria-label="Go to a station">
      {ids.map((id) => (
        <button key={id} type="button" onClick={() => show(id)}>
          {columnName(id)}
        </button>
      ))}
    </nav>
  )
}
