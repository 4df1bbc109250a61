import type { Hosts } from './demo/manifest.ts'
import { listenerUrl, variablesOf, type ListenerName, type Settings } from './settings.ts'
import { SettingRefused } from './vocabulary/setting-refused.ts'

/** The listeners of this process, and the public addresses of all listeners. */
export type Listeners = {
  /** @throws SettingRefused when the address cannot be listened on */
  open: (name: ListenerName, listen: (host: string, port: number) => Promise<number>) => Promise<void>
  /** the public addresses of those that are open in this process */
  opened: () => Partial<Hosts>
  /** the public addresses; for a listener that is not open yet, those of the settings */
  hosts: () => Hosts
  /** one of them */
  url: (name: ListenerName) => string
}

export function createListeners(settings: Settings): Listeners {
  const ports: Partial<Record<ListenerName, number>> = {}
  const at = (name: ListenerName): string => listenerUrl(settings, name, ports[name] ?? settings.ports[name])
  const hosts = (): Hosts => ({
    baseUrl: at('api'),
    mtlsBaseUrl: at('mtls'),
    sandboxBaseUrl: at('sandbox'),
    developerUrl: at('developer'),
    consoleUrl: at('console'),
    storageUrl: settings.publicUrls.storage ?? settings.s3?.endpoint ?? at('storage'),
    opsUrl: at('ops'),
  })
  return {
    open: async (name, listen) => {
      const [address, port] = [settings.addresses[name], settings.ports[name]]
      try {
        ports[name] = await listen(address, port)
      } catch (error) {
        if (!isOfAddress(error)) throw error
        const variables = variablesOf(name)
        throw new SettingRefused(
          `${variables.port} ${port} on ${variables.address} ${address} cannot be listened on: ${error.message}.`,
        )
      }
    },
    url: at,
    hosts,
    opened: () => {
      const isOpen = new Set(Object.keys(ports).map((name) => hostKeys[name as ListenerName]))
      return Object.fromEntries(Object.entries(hosts()).filter(([key]) => isOpen.has(key as keyof Hosts)))
    },
  }
}

/** Other errors are of what a listener reads before it listens. */
function isOfAddress(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
}

/** What each listener's address is called where addresses are told. */
const hostKeys = {
  api: 'baseUrl',
  mtls: 'mtlsBaseUrl',
  sandbox: 'sandboxBaseUrl',
  developer: 'developerUrl',
  console: 'consoleUrl',
  storage: 'storageUrl',
  ops: 'opsUrl',
} as const satisfies Record<ListenerName, keyof Hosts>
