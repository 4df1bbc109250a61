import type { Hosts } from './demo/manifest.ts'
import { listenerUrl, type ListenerName, type Settings } from './settings.ts'
import { SettingRefused } from './vocabulary/setting-refused.ts'

/** The listeners of this process, and the public addresses of all listeners. */
export type Listeners = {
  /** @throws SettingRefused when the address cannot be listened on */
  open: (name: ListenerName, listen: (host: string, port: number) => Promise<number>) => Promise<void>
  /** the public addresses; for a listener that is not open yet, those of the settings */
  hosts: () => Hosts
  /** one of them */
  url: (name: ListenerName) => string
}

export function createListeners(settings: Settings): Listeners {
  const ports: Partial<Record<ListenerName, number>> = {}
  const at = (name: ListenerName): string => listenerUrl(settings, name, ports[name] ?? settings.ports[name])
  return {
    open: async (name, listen) => {
      const port = settings.ports[name]
      try {
        ports[name] = await listen(settings.host, port)
      } catch (error) {
        const variable = name === 'api' ? 'PORT' : `${name.toUpperCase()}_PORT`
        throw new SettingRefused(
          `${variable} ${port} on HOST ${settings.host} cannot be listened on: ${(error as Error).message}.`,
        )
      }
    },
    url: at,
    hosts: () => ({
      baseUrl: at('api'),
      mtlsBaseUrl: at('mtls'),
      sandboxBaseUrl: at('sandbox'),
      developerUrl: at('developer'),
      consoleUrl: at('console'),
      storageUrl: settings.publicUrls.storage ?? settings.s3?.endpoint ?? at('storage'),
      opsUrl: at('ops'),
    }),
  }
}
