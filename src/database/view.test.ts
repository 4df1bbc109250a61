import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/world/database.ts'
import { sql, sqlText } from './sql.ts'
import { columns, isoText, jsonList, jsonMembers, type View } from './view.ts'

const { database } = await testDatabase()

type Stop = { street: string; city: string | null; leftOn: string | null }
type Tour = { tourId: number; startedOn: string; from: object | null; stops: Stop[] }

const stopView: View<Stop> = { street: 'stop.street', city: 'stop.city', leftOn: isoText('stop.left_on') }

const tourView: View<Tour> = {
  tourId: 'tour.tour_id',
  startedOn: 'tour.started_on',
  from: jsonMembers('tour.address', { properties: { city: {}, street: {} } }),
  stops: jsonList(stopView, 'from stop where stop.tour_id = tour.tour_id', 'stop.stop_number desc'),
}

const tours = sqlText`(values
  (1::bigint, '2026-01-31T09:30:00.12Z'::timestamptz(3), '{"street": "Elm", "secret": 1}'::jsonb),
  (2, '2026-01-31T09:30:00Z', null)) as tour (tour_id, started_on, address)`

test('the rows of a view are its records: its keys in its order, and nothing else', async () => {
  const rows = await database.reads.rows<Tour>(sql`
    with stop as (
      select 1 as tour_id, * from (values
        (1, 'Elm', 'Troy', '2026-01-31T10:00:00.5Z'::timestamptz(3)),
        (2, 'Oak', null, null)) as each_stop (stop_number, street, city, left_on)
    )
    select ${columns(tourView)} from ${tours} order by tour.tour_id`)
  assert.equal(
    JSON.stringify(rows),
    JSON.stringify([
      {
        tourId: 1,
        startedOn: '2026-01-31T09:30:00.120Z',
        from: { city: null, street: 'Elm' },
        stops: [
          { street: 'Oak', city: null, leftOn: null },
          { street: 'Elm', city: 'Troy', leftOn: '2026-01-31T10:00:00.500Z' },
        ],
      },
      { tourId: 2, startedOn: '2026-01-31T09:30:00.000Z', from: null, stops: [] },
    ]),
  )
})
