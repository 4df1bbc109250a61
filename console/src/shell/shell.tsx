import {
  ActionIcon,
  Burger,
  Button,
  Menu,
  Select,
  Text,
  VisuallyHidden,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { IconMoon, IconSun, IconUser } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../api/api.ts'
import { useLive } from '../api/live.ts'
import { permissionFor } from '../api/queries.ts'
import { useMay, useSession } from '../api/session.ts'
import { forgetDrafts } from '../kit/form.tsx'
import { regionId } from '../kit/announce.ts'
import { At, usePlace } from '../kit/at.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { PageHead } from '../kit/page-head.tsx'
import { inWords } from '../kit/status.tsx'
import { InZone } from '../kit/when.tsx'
import { Away } from './away.tsx'
import { environments, useEnvironment } from './environment.ts'
import { useFocusKept } from './focus-keeper.ts'
import { further, navigation } from './navigation.ts'
import { Palette } from './palette.tsx'
import { SessionEnd } from './session-end.tsx'
import classes from './shell.module.css'
import { useSite, useSiteFilter, useSites } from './sites.ts'
import { Unsaved } from './unsaved.tsx'

/** The frame of every page: where one is, which environment and site, and who. */
export function Shell() {
  const environment = useEnvironment()
  const [isOpen, setIsOpen] = useState(false)
  const { pathname } = useLocation()
  const zone = useSite(useSiteFilter())?.timeZone
  const may = useMay()
  const reads = [...navigation.flat(), ...further].find(({ to }) => pathname === `/${environment}${to}`)?.reads
  const missing = reads && !may(reads) ? (permissionFor(reads) ?? undefined) : undefined
  useLive(environment)
  useFocusKept()
  useEffect(() => setIsOpen(false), [pathname])
  return (
    <div className={classes.shell} data-environment={environment}>
      <a href="#page" className={classes.skip}>
        Skip to the page
      </a>
      <header className={`${classes.top} no-print`}>
        <Burger
          opened={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          size="xs"
          className={classes.burger}
          aria-label="Navigation"
          aria-expanded={isOpen}
        />
        <EnvironmentSwitch />
        <SiteFilter />
        <span className={classes.grow} />
        <Palette />
        <SchemeSwitch />
        <WhoAmI />
      </header>
      <Navigation isOpen={isOpen} />
      <main id="page" className={classes.page} tabIndex={-1}>
        <Away />
        <InZone value={zone}>{missing === undefined ? <Outlet /> : <NotForRoles permission={missing} />}</InZone>
      </main>
      <VisuallyHidden id={regionId} role="status" />
      <SessionEnd />
      <Unsaved />
    </div>
  )
}

function NotForRoles({ permission }: { permission: string }) {
  return (
    <>
      <PageHead title="Not for your roles" />
      <PageBody>
        <Text size="sm">This needs the permission {permission}.</Text>
      </PageBody>
    </>
  )
}

function Navigation({ isOpen }: { isOpen: boolean }) {
  const may = useMay()
  const environment = useEnvironment()
  const { pathname } = useLocation()
  return (
    <nav className={`${classes.nav} no-print`} data-open={isOpen || undefined} aria-label="Pages">
      {navigation.map((group) => (
        <ul key={group[0]!.to}>
          {group
            .filter(({ reads, onlyIn }) => may(reads) && (onlyIn === undefined || onlyIn === environment))
            .map(({ to, name, icon: Icon }) => (
              <li key={to}>
                <At
                  to={to}
                  className={classes.place}
                  underline="never"
                  title={name}
                  aria-current={pathname.startsWith(`/${environment}${to}`) ? 'page' : undefined}
                >
                  <Icon size={18} stroke={1.6} aria-hidden />
                  <span>{name}</span>
                </At>
              </li>
            ))}
        </ul>
      ))}
    </nav>
  )
}

/** Production and sandbox are two worlds: what is read in one is not there in the other. */
function EnvironmentSwitch() {
  const environment = useEnvironment()
  const navigate = useNavigate()
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default" className={classes.environment} aria-label={`Environment: ${environment}`}>
          {environment === 'sandbox' ? 'Sandbox' : 'Production'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {environments.map((each) => (
          <Menu.Item
            key={each}
            disabled={each === environment}
            onClick={() => void navigate({ to: '/$environment/today', params: { environment: each } })}
          >
            Go to {each}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function SiteFilter() {
  const sites = useSites()
  const site = useSiteFilter()
  const navigate = useNavigate()
  if (sites.length === 0) return null
  return (
    <Select
      aria-label="Site"
      placeholder="All sites"
      data={sites.map(({ siteId, name }) => ({ value: String(siteId), label: name }))}
      value={site === undefined ? null : String(site)}
      onChange={(value) =>
        void navigate({
          to: '.',
          search: ((before: object) => ({ ...before, site: value ? Number(value) : undefined })) as never,
        })
      }
      clearable
      searchable
      className={classes.site}
    />
  )
}

function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const other = scheme === 'light' ? 'dark' : 'light'
  return (
    <ActionIcon onClick={() => setColorScheme(other)} aria-label={`Switch to ${other} mode`} className={classes.scheme}>
      {scheme === 'light' ? <IconMoon size={16} /> : <IconSun size={16} />}
    </ActionIcon>
  )
}

/** Who signs out in one window leaves all of this browser: none goes on showing what was read. */
function useWindowsOfPerson(leave: () => void) {
  const channel = useRef<BroadcastChannel>(undefined)
  useEffect(() => {
    const opened = new BroadcastChannel('signed-out')
    opened.addEventListener('message', leave)
    channel.current = opened
    return () => opened.close()
  }, [leave])
  return { tellLeft: () => channel.current?.postMessage('signed-out') }
}

function WhoAmI() {
  const { username, roles } = useSession()
  const queries = useQueryClient()
  const router = useRouter()
  const place = usePlace()
  const leave = useCallback(() => {
    queries.clear()
    forgetDrafts()
    void router.navigate({ to: '/sign-in', ignoreBlocker: true })
  }, [queries, router])
  const windows = useWindowsOfPerson(leave)
  const signOut = useMutation({
    mutationFn: () => call('signOut', 'production', {}),
    onSettled: () => {
      windows.tellLeft()
      leave()
    },
  })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={`Signed in as ${username}`} variant="default" radius="xl">
          <IconUser size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {username} · {roles.map(inWords).join(', ')}
        </Menu.Label>
        <Menu.Item onClick={() => router.history.push(place('/account'))}>Your account</Menu.Item>
        <Menu.Item onClick={() => signOut.mutate()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
