import type { Command } from 'commander'
import { command, runs } from '../command.ts'
import { shownDuration } from '../durations.ts'
import { openSession } from '../session.ts'
import { bold } from '../terminal/pieces.ts'
import { orDash, when } from '../terminal/words.ts'
import type { World } from '../world.ts'

export function whoamiCommand(world: World): Command {
  const made = command('whoami', 'Show who you are: partner, sites, scopes and limits', [
    'whoami',
    'whoami --sandbox --json',
  ])
  return runs(made, world, async ({ flags }) => {
    const { client, name, baseUrl } = await openSession(world, flags)
    const me = await client.getMe({}, { signal: world.stop })
    const { terminal } = world
    if (flags.json) return terminal.json(me)
    const { limits, user, certificate } = me
    const secondsLeft = (Date.parse(me.tokenExpiresOn ?? '') - world.now().getTime()) / 1000
    terminal.facts([
      ['Partner', bold(me.partnerName)],
      ['Environment', bold(me.environment)],
      ...(user ? [['Person', user.userName] as const] : []),
      ...(certificate ? [['Certificate', `${certificate.subjectDn}, until ${certificate.expiresOn}`] as const] : []),
      ['Application', orDash(me.clientId)],
      ['Token', secondsLeft > 0 ? `good for ${shownDuration(secondsLeft)}` : orDash(null)],
      ['Host', baseUrl],
      ['Profile', orDash(name)],
      ['Sites', orDash(me.grantedSiteIds.join(', '))],
      ['Scopes', orDash(me.scopes.map((scope) => scope.replace(/^partner-api\//, '')).join(', '))],
      ['Rate', `${limits.sustainedPerSecond} a second, ${limits.burst} at once (${limits.tier})`],
      ['Today', `${limits.dailyRemaining} of ${limits.dailyQuota} calls left`],
      ['Fresh quota', when(limits.dailyResetsOn)],
    ])
  })
}
