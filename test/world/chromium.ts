import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

/**
 * This machine's Chromium, for tests of pages: the one that CHROMIUM names, or Debian's. If there is none, those tests
 * are skipped with a warning, or fail if REQUIRE_SERVICES=1.
 */
export type GivenChromium =
  | { launch: (asked?: Asked) => Promise<Browser>; skip: false }
  | { launch: undefined; skip: string }

/** What a test needs that the headless shell leaves out. */
export type Asked = { showsPdf?: true }

/** The same browser without windows: it takes two thirds of the processor's time. */
const headlessShell = '/usr/bin/chromium-headless-shell'

export function givenChromium(): GivenChromium {
  const path = process.env.CHROMIUM || '/usr/bin/chromium'
  if (existsSync(path)) {
    const light = !process.env.CHROMIUM && existsSync(headlessShell) ? headlessShell : path
    // Chromium's sandbox does not work for root or in containers. Here it only opens loopback pages.
    const launch = ({ showsPdf }: Asked = {}) =>
      chromium.launch({ executablePath: showsPdf ? path : light, args: ['--no-sandbox'] })
    return { launch, skip: false }
  }
  const said = `there is no Chromium at ${path}; CHROMIUM names one`
  if (process.env.REQUIRE_SERVICES === '1') throw new Error(`${said}, and REQUIRE_SERVICES=1 asks for it`)
  process.stderr.write(`\n!!! SKIPPED: the tests that need Chromium: ${said}.\n\n`)
  return { launch: undefined, skip: said }
}
