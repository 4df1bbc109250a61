import { useRead } from '../api/queries.ts'
import { countOf } from '../kit/words.ts'
import { Glance, Unread } from '../overview/glance.tsx'
import { doneOf } from './go-live.tsx'

/** How far the integration has come. */
export function GoLiveGlance() {
  const goLive = useRead('getGoLive', {}, { every: 30_000 })
  if (!goLive.data)
    return <Unread title="Go-live" of={{ error: goLive.error, readAnew: () => void goLive.refetch() }} />
  const { ready, items } = goLive.data
  const failed = items.filter(({ state }) => state === 'failed')
  return (
    <Glance
      title="Go-live"
      page="go-live"
      tone={ready ? 'good' : failed.length > 0 ? 'bad' : 'info'}
      answer={ready ? 'Everything was seen' : `${doneOf(items)} of ${countOf(items.length, 'item')} done`}
    >
      {failed.length > 0 && (
        <ul className="plain">
          {failed.map(({ key, title }) => (
            <li key={key}>Went wrong: {title}</li>
          ))}
        </ul>
      )}
    </Glance>
  )
}
