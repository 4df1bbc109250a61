import { Modal, Text, TextInput, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { call } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { useGo } from '../kit/at.tsx'
import { useKeys } from '../kit/keys.ts'
import { offersNow } from '../kit/offers.ts'
import { Refused } from '../kit/refused.tsx'
import { useEnvironment } from './environment.ts'
import { aboutOf, nameOf, pageOf, type HitGroup } from './hits.ts'
import { further, navigation } from './navigation.ts'
import classes from './palette.module.css'

/** How long the second key of two may take. */
const pairMilliseconds = 1_500

/** `id` tells it from others of its group, which may have the same name. */
type Option = { group: string; id: string; name: string; about?: string | null; act: () => void }

/** Goes anywhere, does something, finds anything: by Ctrl or Cmd and K, by `/`, or by the field at the top. */
export function Palette() {
  const [shown, setShown] = useState<'find' | 'keys'>()
  const close = () => setShown(undefined)
  // What asks for more in its place takes the focus, which the search gives back as it closes.
  const next = useRef<() => void>(undefined)
  const goOn = () => {
    next.current?.()
    next.current = undefined
  }
  useKeys({ '/': () => setShown('find'), '?': () => setShown('keys') }, true)
  useGoKeys()
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setShown('find')
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <UnstyledButton className={classes.open} onClick={() => setShown('find')}>
        <IconSearch size={16} aria-hidden />
        <span>Search</span>
        <kbd>Ctrl K</kbd>
      </UnstyledButton>
      <Modal.Root opened={shown === 'find'} onClose={close} onExitTransitionEnd={goOn} size="lg">
        <Modal.Overlay />
        <Modal.Content aria-label="Search">
          <Modal.Body pt="md">
            <Finder
              close={(act) => {
                next.current = act
                close()
              }}
            />
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
      <Modal opened={shown === 'keys'} onClose={close} title="Keys" closeButtonProps={{ 'aria-label': 'Close' }}>
        <Keys />
      </Modal>
    </>
  )
}

/** @param close also takes what is to be done once the search is gone */
function Finder({ close }: { close: (next?: () => void) => void }) {
  const environment = useEnvironment()
  const go = useGo()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const asked = text.trim()
  const [q] = useDebouncedValue(asked, 150)
  const found = useQuery({ ...read(environment, 'search', { query: { q } }), enabled: q !== '' })
  const isCurrent = q === asked && found.data !== undefined
  const commands = useCommands(asked.toLowerCase())
  const goTo = (page: string) => {
    go(page)
    close()
  }
  const hits = isCurrent ? found.data.groups.flatMap((group) => optionsOf(group, goTo)) : []
  const isExact = isCurrent && found.data.groups[0]?.hits[0]?.match === 'exact'
  const options = isExact ? [...hits, ...commands] : [...commands, ...hits]
  const current = Math.min(at, options.length - 1)

  // A scanner's Enter comes before any answer: what it scanned is then looked up at once.
  const land = useMutation({
    mutationFn: () => call('search', environment, { query: { q: asked } }),
    onSuccess: ({ groups }) => {
      const [group] = groups
      if (group?.hits[0]?.match === 'exact') goTo(pageOf(group.kind, group.hits[0]))
    },
  })
  const choose = (option: Option | undefined) => {
    if (!option) return
    if (option.group === ofPage) return close(option.act)
    option.act()
    close()
  }
  const press = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined) setAt(Math.max(0, Math.min(options.length - 1, current + move)))
    else if (event.key !== 'Enter') return
    else if (asked === '' || isCurrent || commands.length > 0) choose(options[current])
    else land.mutate()
    event.preventDefault()
  }
  return (
    <>
      <TextInput
        size="md"
        aria-label="Go to, do or find"
        placeholder="Go to, do, or find by any number or name"
        role="combobox"
        aria-expanded
        aria-controls="palette-results"
        aria-activedescendant={options[current] && `palette-${current}`}
        autoComplete="off"
        data-autofocus
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <div role="listbox" id="palette-results" aria-label="Results" className={classes.results} tabIndex={-1}>
        {options.map((option, index) => (
          <div key={`${option.group} ${option.id}`} role="presentation">
            {option.group !== options[index - 1]?.group && <div className={classes.group}>{option.group}</div>}
            <div
              role="option"
              id={`palette-${index}`}
              tabIndex={-1}
              aria-selected={index === current}
              className={classes.option}
              onPointerMove={() => setAt(index)}
              onClick={() => choose(option)}
              onKeyDown={press}
            >
              <span>{option.name}</span>
              {option.about && <span>{option.about}</span>}
            </div>
          </div>
        ))}
      </div>
      <Refused error={found.error ?? land.error} />
      {isCurrent && options.length === 0 && (
        <Text size="sm" c="dimmed" p="xs" role="status">
          Nothing has this number or name in {environment}.
        </Text>
      )}
    </>
  )
}

function optionsOf({ kind, hits }: HitGroup, goTo: (page: string) => void): Option[] {
  return hits.map((hit) => ({
    group: nameOf(kind),
    id: `${hit.id} ${hit.path}`,
    name: hit.title,
    about: aboutOf(hit),
    act: () => goTo(pageOf(kind, hit)),
  }))
}

const ofPage = 'On this page'

/** The pages and verbs whose names have the text. */
function useCommands(text: string): Option[] {
  const environment = useEnvironment()
  const may = useMay()
  const go = useGo()
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const otherScheme = useComputedColorScheme('light') === 'light' ? 'dark' : 'light'
  const other = environment === 'production' ? 'sandbox' : 'production'
  const below = further.filter(({ reads }) => may(reads))
  const places = [...usePlaces(), ...(text === '' ? [] : below)].map(({ to, name }): Option => ({
    group: 'Go to',
    id: to,
    name,
    act: () => go(to),
  }))
  const offers = offersNow().map(({ name, about, act }, at): Option => ({
    group: ofPage,
    id: `${name} ${at}`,
    name,
    about: about ?? null,
    act,
  }))
  const verbs: Option[] = [
    ...(may('createPartner')
      ? [{ group: 'Do', id: 'partner', name: 'New partner', act: () => go('/onboarding') }]
      : []),
    {
      group: 'Do',
      id: 'environment',
      name: `Switch to ${other}`,
      act: () => void navigate({ to: '/$environment/today', params: { environment: other } }),
    },
    {
      group: 'Do',
      id: 'scheme',
      name: otherScheme === 'dark' ? 'Dark mode' : 'Light mode',
      act: () => setColorScheme(otherScheme),
    },
  ]
  return [...places, ...offers, ...verbs].filter(({ name }) => name.toLowerCase().includes(text))
}

/** The pages that the person may open here. */
function usePlaces() {
  const environment = useEnvironment()
  const may = useMay()
  return navigation.flat().filter(({ reads, onlyIn }) => may(reads) && (onlyIn === undefined || onlyIn === environment))
}

/** G and a letter lead to a page. The second key is taken before the page's own keys see it. */
function useGoKeys() {
  const go = useGo()
  const places = usePlaces()
  const [since, setSince] = useState(0)
  useKeys({ g: () => setSince(Date.now()) }, true)
  useEffect(() => {
    if (since === 0) return undefined
    const press = (event: globalThis.KeyboardEvent) => {
      setSince(0)
      const place = places.find(({ keys }) => keys === `g${event.key}`)
      if (!place || event.metaKey || event.ctrlKey || event.altKey) return
      event.preventDefault()
      event.stopPropagation()
      go(place.to)
    }
    const late = window.setTimeout(() => setSince(0), pairMilliseconds)
    window.addEventListener('keydown', press, true)
    return () => {
      window.clearTimeout(late)
      window.removeEventListener('keydown', press, true)
    }
  }, [since, places, go])
}

function Keys() {
  const rows = [
    ['Ctrl K, /', 'Go to, do or find'],
    ['J, K', 'Next and previous row'],
    ['Enter', 'Open the row'],
    ['X', 'Select the row'],
    ...usePlaces().map(({ keys, name }) => [keys.toUpperCase().split('').join(' then '), name]),
  ] as const
  return (
    <dl className={classes.keys}>
      {rows.map(([keys, does]) => (
        <div key={keys} style={{ display: 'contents' }}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  )
}
