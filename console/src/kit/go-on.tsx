import { Anchor, Group } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { isEnvironment } from '../shell/environment.ts'
import { navigation } from '../shell/navigation.ts'

/** Where to go from an address that leads nowhere: the list that its record would be in, and Today. */
export function GoOn() {
  const [, environment, part] = useLocation({ select: ({ pathname }) => pathname }).split('/')
  const here = isEnvironment(environment) ? environment : 'production'
  // Plants are listed with the sites.
  const named = part === 'fulfilment-centers' ? 'sites' : part
  const list = navigation.flat().find(({ to }) => to === `/${named}` && to !== '/today')
  return (
    <Group gap="md">
      {[...(list ? [list] : []), { to: '/today', name: 'Today' }].map(({ to, name }) => (
        <Anchor key={to} href={`/${here}${to}`} inherit underline="always">
          {name}
        </Anchor>
      ))}
    </Group>
  )
}
