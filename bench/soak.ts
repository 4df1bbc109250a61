import { openSection } from './results.ts'
import { runTests } from './tested.ts'

/** The service under all kinds of traffic for SOAK_SECONDS, five minutes if they are not set, as `test/soak/` has it. */
process.env.SOAK_SECONDS ??= '300'

const section = openSection('soak')
const { failed, told } = await runTests(['test/soak/soak.test.ts'])
const phases = { 'under load': 'resident, under load', 'beside hostile callers': 'resident, beside hostile callers' }
const figuresOf = (phase: string): Map<string, number> => {
  const line = told.find((each) => each.startsWith(`${phase} `))
  if (line === undefined) throw new Error(`the soak test did not come to what it sees ${phase}: ${failed.join('; ')}`)
  return new Map([...line.matchAll(/(\w+) (\d+)(?=,|$)/g)].map(([, name, value]) => [name!, Number(value)]))
}
section.say(
  `For ${process.env.SOAK_SECONDS} s: partners, agents, staff, people who sign in, the sandbox and its clock, print files good, broken and ` +
    'harmful, webhooks to a receiver that answers and three that never do; in the second half also hostile callers. The most that was seen:',
)
section.say('')
section.say('| | ' + Object.keys(phases).join(' | goal | ') + ' | goal | quiet again |')
section.say('|---|---|---|---|---|---|')
const seen = Object.keys(phases).map((phase) => figuresOf(`${phase} at most`))
const quiet = figuresOf('quiet again')
for (const name of seen[0]!.keys()) {
  const cells = Object.values(phases).map((goal, at) => {
    const value = seen[at]!.get(name)!
    return name === 'residentMegabytes'
      ? `${section.judged(goal, value, `${value}`)} | ${section.goalOf(goal)}`
      : `${value} | `
  })
  section.say(
    `| ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} | ${cells.join(' | ')} | ${quiet.get(name)} |`,
  )
}
section.say('')
section.say(
  `Growth, and what was not given back: ${section.judged('tests that failed', failed.length, failed.length === 0 ? 'none' : failed.join('; '))}.`,
)
section.write()
