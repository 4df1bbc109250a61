import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { revisionOf, type AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { At, useGo } from '../kit/at.tsx'
import { useUrlState } from '../kit/filters.tsx'
import { FlagField, Form, TextField, useForm } from '../kit/form.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { asking, Verbs } from '../kit/verbs.tsx'
import { useEnvironment } from '../shell/environment.ts'
import classes from './order-tabs.module.css'

type View = AnswerOf<'listViews'>['views'][number]

/** What people look at every day. A view is what its address filters, so that any of them can be sent to a colleague. */
const builtIn: readonly { name: string; query: string }[] = [
  { name: 'All', query: '' },
  { name: 'Pending approval', query: 'status=PENDING_APPROVAL' },
  { name: 'On hold', query: 'status=ON_HOLD' },
  { name: 'In process', query: 'status=IN_PROCESS' },
  { name: 'In production', query: 'status=IN_PRODUCTION' },
  { name: 'Partially shipped', query: 'status=PARTIALLY_SHIPPED' },
  { name: 'Shipped', query: 'status=SHIPPED' },
]

/** Views that everybody has, and those that people saved. The address of a saved one names it, so its filters can change. */
export function OrderTabs() {
  const [state] = useUrlState()
  const { view: chosen, ...filters } = state
  const here = queryOf(filters)
  const { site: _site, ...besidesSite } = filters
  const saved = useQuery(read(useEnvironment(), 'listViews', { query: { page: 'orders', limit: 200 } }))
  const views = saved.data?.views ?? []
  const current = views.find(({ viewId }) => viewId === chosen)
  const isBuiltIn = !current && builtIn.some(({ query }) => query === queryOf(besidesSite))
  return (
    <div className={`${classes.bar} no-print`}>
      <nav className={classes.tabs} aria-label="Views">
        {builtIn.map(({ name, query }) => (
          <At
            key={name}
            to={`/orders${query && `?${query}`}`}
            underline="never"
            className={classes.tab}
            aria-current={!current && query === queryOf(besidesSite) ? 'page' : undefined}
          >
            {name}
          </At>
        ))}
        {views.map(({ viewId, name, query }) => (
          <At
            key={viewId}
            to={`/orders?${query && `${query}&`}view=${viewId}`}
            underline="never"
            className={classes.tab}
            aria-current={viewId === chosen ? 'page' : undefined}
          >
            {name}
          </At>
        ))}
      </nav>
      {(current ?? !isBuiltIn) && (
        <Group gap="xs" wrap="nowrap" className={classes.verbs}>
          {current ? <OfView view={current} here={here} /> : <SaveView here={here} />}
        </Group>
      )}
    </div>
  )
}

function SaveView({ here }: { here: string }) {
  return (
    <Verbs
      verbs={[asking('saveView', 'Save view…', (close) => <NewView here={here} close={close} />, { quiet: true })]}
    />
  )
}

/** What may be done with the view that is open: by its author, and with a shared one by an ADMIN. */
function OfView({ view, here }: { view: View; here: string }) {
  const { roles } = useSession()
  const isMine = view.own || (view.shared && roles.includes('ADMIN'))
  const isAsSaved = view.query === here
  return (
    <>
      <Text size="sm" c="dimmed">
        {[view.shared && (view.own ? 'shared' : `by ${view.author}`), !isAsSaved && 'filters changed']
          .filter(Boolean)
          .join(' · ')}
      </Text>
      <Verbs
        label={`More for ${view.name}`}
        verbs={[
          asking('saveView', 'Save as new…', (close) => <NewView here={here} close={close} />, {
            hidden: isAsSaved,
            quiet: true,
          }),
          asking(
            'changeView',
            'Change the view…',
            (close) => <ChangeView viewId={view.viewId} here={here} close={close} />,
            { hidden: !isMine, quiet: true },
          ),
          asking('removeView', 'Remove the view…', (close) => <RemoveView view={view} here={here} close={close} />, {
            hidden: !isMine,
            danger: true,
          }),
        ]}
      />
    </>
  )
}

function NewView({ here, close }: { here: string; close: () => void }) {
  const go = useGo()
  const form = useForm('saveView', {
    initial: { name: '', shared: false },
    input: ({ name, shared }) => ({ body: { page: 'orders', name, query: here, shared } }),
    onDone: ({ viewId, query }) => {
      close()
      go(`/orders?${query && `${query}&`}view=${viewId}`)
    },
  })
  return (
    <Form form={form} submit="Save the view" onCancel={close}>
      <TextField form={form} name="name" label="Name" required />
      <FlagField form={form} name="shared" label="Colleagues see it too" />
    </Form>
  )
}

function ChangeView({ viewId, here, close }: { viewId: string; here: string; close: () => void }) {
  const view = useQuery(read(useEnvironment(), 'readView', { path: { viewId } }))
  return <Loaded query={view}>{(found) => <ChangeFound view={found} here={here} close={close} />}</Loaded>
}

function ChangeFound({ view, here, close }: { view: View; here: string; close: () => void }) {
  const form = useForm('changeView', {
    initial: { name: view.name, shared: view.shared, filters: view.query !== here },
    input: ({ name, shared, filters }) => ({
      path: { viewId: view.viewId },
      body: { page: 'orders', name, query: filters ? here : view.query, shared },
    }),
    revision: revisionOf(view),
    onDone: close,
  })
  return (
    <Form form={form} submit="Save the changes" onCancel={close}>
      <TextField form={form} name="name" label="Name" required />
      <FlagField form={form} name="shared" label="Colleagues see it too" />
      {view.query !== here && <FlagField form={form} name="filters" label="With the filters as they are now" />}
    </Form>
  )
}

/** The list stays as it is shown; only its name goes. */
function RemoveView({ view, here, close }: { view: View; here: string; close: () => void }) {
  const go = useGo()
  const form = useForm('removeView', {
    initial: {},
    input: () => ({ path: { viewId: view.viewId } }),
    onDone: () => {
      close()
      go(`/orders${here && `?${here}`}`)
    },
  })
  return (
    <Form form={form} submit={`Remove ${view.name}`} danger onCancel={close}>
      <Text size="sm">{view.shared ? 'Colleagues lose it too. ' : ''}The orders that it shows are not touched.</Text>
    </Form>
  )
}

/** Names in one order, so that the same filters are the same text. */
function queryOf(state: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(Object.entries(state).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  query.sort()
  return query.toString()
}
