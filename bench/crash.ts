import { globSync } from 'node:fs'
import { openSection } from './results.ts'
import { numbersIn, runTests, sum } from './tested.ts'

/** The service killed at random moments, CRASH_CYCLES times in each of three tests, twenty if that is not set. */
process.env.CRASH_CYCLES ??= '20'

const section = openSection('crash')
const { failed, told } = await runTests(globSync('test/faults/crash*.test.ts').toSorted())
const orders = numbersIn(told, /^killed when (\d+) of (\d+) orders were answered; all ended within (\d+) ms/)
const webhooks = numbersIn(
  told,
  /^(\d+) orders, (\d+) deliveries, (\d+) of them again; (\d+) reservations, (\d+) uploaded, (\d+) attached/,
)
const inspections = numbersIn(told, /^(\d+) of (\d+) inspections were begun again/)
const of = (all: readonly number[][], at: number): number => sum(all.map((each) => each[at]!))
const kills = orders.length + webhooks.length + inspections.length
section.say(
  '`kill -9` at random moments under load, every other time with PostgreSQL; then the service starts on the same data.',
)
section.say('')
section.say('| | measured | goal |')
section.say('|---|---|---|')
section.say(`| kills that the service outlived | ${kills} | |`)
section.say(`| orders sent, answered before the kill | ${of(orders, 1)}, ${of(orders, 0)} | |`)
section.say(`| the longest until all submissions had ended | ${Math.max(...orders.map((each) => each[2]!))} ms | |`)
section.say(`| webhooks delivered, of them again | ${of(webhooks, 1)}, ${of(webhooks, 2)} | |`)
section.say(`| print files uploaded, attached before the kill | ${of(webhooks, 4)}, ${of(webhooks, 5)} | |`)
section.say(`| inspections, of them begun again | ${of(inspections, 1)}, ${of(inspections, 0)} | |`)
section.say(
  `| kills after which it did not come back, or something was lost or doubled | ${section.judged('kills it did not outlive whole', failed.length, `${failed.length}`)} | ${section.goalOf('kills it did not outlive whole')} |`,
)
for (const each of failed) section.say(`\n${each}`)
section.write()
