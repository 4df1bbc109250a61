import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

/**
 * The Chromium of this machine, for tests of pages: the one CHROMIUM names, or Debian's. Without it those tests are
 * skipped, loudly; with REQUIRE_SERVICES=1 they fail.
 */
export type GivenChromium = { launch: () => Promise<Browser>; skip: false } | { launch: undefined; skip: string }

export function givenChromium(): GivenChromium {
  const path = process.env.CHROMIUM || '/usr/bin/chromium'
  if (existsSync(path)) {
    // Its own sandbox does not work for root and in containers; it only ever sees loopback here.
    return { launch: () => chromium.launch({ executablePath: path, args: ['--no-sandbox'] }), skip: false }
  }
  const said = `there is no Chromium at ${path}; CHROMIUM names one`
  if (process.env.REQUIRE_SERVICES === '1') throw new Error(`${said}, and REQUIRE_SERVICES=1 asks for it`)
  process.stderr.write(`\n!!! SKIPPED: the tests that need Chromium: ${said}.\n\n`)
  return { launch: undefined, skip: said }
}
