import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Opens a page in the person's browser: the one that BROWSER names, or the machine's own.
 * @returns false where there is none to open; never throws
 */
export async function openBrowser(url: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const program = programOf(environment)
  if (!program) return false
  const [command, ...before] = program
  try {
    const child = spawn(command, [...before, url], { stdio: 'ignore', detached: true })
    await once(child, 'spawn')
    child.unref()
    // A browser that stays is one that opened; a launcher that ends at once says by its code whether it did.
    const ended = await Promise.race([
      once(child, 'exit').then(([code]) => code as number | null),
      new Promise<undefined>((resolve) => setTimeout(resolve, 1_500)),
    ])
    return ended === undefined || ended === 0
  } catch {
    return false
  }
}

function programOf(environment: NodeJS.ProcessEnv): [command: string, ...before: string[]] | undefined {
  const { BROWSER, DISPLAY, WAYLAND_DISPLAY } = environment
  if (BROWSER !== undefined) return BROWSER === '' || BROWSER === 'none' ? undefined : [BROWSER]
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}
