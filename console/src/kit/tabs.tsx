import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Operation } from '../api/api.ts'
import { useMay } from '../api/session.ts'
import { useUrlState } from './filters.tsx'
import { useOffers } from './offers.ts'
import classes from './tabs.module.css'

export type PageTab = {
  /** in the URL */
  name: string
  label: string
  /** who may not do it has no such tab */
  needs?: Operation
  shows: () => ReactNode
}

/**
 * The parts of a page, of which the URL keeps the one that is shown. Filters of one part mean nothing in another, so they
 * go with it.
 * @param fill the parts are lists that scroll by themselves
 */
export function PageTabs({ label, tabs, fill = false }: { label: string; tabs: readonly PageTab[]; fill?: boolean }) {
  const [state, set] = useUrlState()
  const may = useMay()
  const offered = tabs.filter(({ needs }) => needs === undefined || may(needs))
  const current = (offered.find(({ name }) => name === state.tab) ?? offered[0])?.name
  const show = (name: string | null) => {
    const dropped = Object.keys(state).filter((key) => key !== 'site')
    const tab = name === offered[0]?.name ? undefined : (name ?? undefined)
    set({ ...Object.fromEntries(dropped.map((key) => [key, undefined])), tab }, true)
  }
  useOffers(offered.map(({ name, label: told }) => ({ name: told, about: label, act: () => show(name) })))
  return (
    <Tabs value={current ?? null} onChange={show} className={classes.tabs} data-fill={fill || undefined}>
      <Tabs.List aria-label={label} className={classes.list}>
        {offered.map(({ name, label: told }) => (
          <Tabs.Tab key={name} value={name}>
            {told}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {offered.map(({ name, shows }) => (
        <Tabs.Panel key={name} value={name} className={classes.panel}>
          {name === current && shows()}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
