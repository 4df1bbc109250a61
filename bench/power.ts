import { openSection } from './results.ts'
import { numbersIn, runTests, sum } from './tested.ts'

/** Losses of power on a disk that forgets what was not synced, POWER_LOSSES of them, twenty if that is not set. */
process.env.POWER_LOSSES ??= '20'

const section = openSection('power')
const { failed, skipped, told } = await runTests(['test/power/power-loss.test.ts'])
if (skipped > 0) {
  section.say('Not measured: it needs root, /dev/fuse and gcc with libfuse3, as `test/power/forgetful-disk.ts` says.')
} else {
  const losses = numbersIn(told, /^(\d+) of (\d+) orders answered, (\d+) files stored/)
  const [control] = numbersIn(told, /^(\d+) of (\d+) answered orders were lost/)
  if (!control) throw new Error('the control did not tell what it lost')
  const firstStarts = told.filter((line) => /^after \d+ ms, (not )?ready/.test(line)).length
  const [answered, sent, stored] = [0, 1, 2].map((at) => sum(losses.map((each) => each[at]!)))
  const row = (what: string, measured: string, goal = ''): void => section.say(`| ${what} | ${measured} | ${goal} |`)
  const judged = (figure: string, value: number, text = `${value}`): [string, string] => [
    section.judged(figure, value, text),
    section.goalOf(figure),
  ]
  section.say(
    'Power is taken from the disk of PostgreSQL and the print files at random moments while orders and files come in.',
  )
  section.say('')
  section.say('| | measured | goal |')
  section.say('|---|---|---|')
  row('losses under load that the service outlived', `${losses.length}`)
  row('losses within a first start', `${firstStarts}`)
  row('orders sent, answered before the loss', `${sent}, ${answered}`)
  row('print files acknowledged', `${stored}`)
  row(
    'losses after which it did not come back, or something acknowledged was gone',
    ...judged('losses it did not outlive whole', failed.length),
  )
  row(
    'control, a disk that ignores syncs: answered orders, lost',
    ...judged('lost by the control', control[0]!, `${control[1]}, ${control[0]}`),
  )
  for (const each of failed) section.say(`\n${each}`)
}
section.write()
