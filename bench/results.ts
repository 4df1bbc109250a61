import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { type Goal, goals } from './goals.ts'

/** The parts of the bench by name, with their titles, in the order in which they run and stand in `results.md`. */
export const parts = {
  reads: 'Reads beside the floors',
  mcp: 'Calls of agents beside the same read over HTTP',
  orders: 'Orders',
  start: 'Start and memory',
  webhooks: 'Webhooks beside a hundred receivers that never answer',
  growth: 'Growth',
  soak: 'All kinds of traffic for a time',
  power: 'Losses of power',
  crash: 'Kills of the process',
  peers: 'Beside other platforms',
} as const

export type Part = keyof typeof parts

const file = new URL('results.md', import.meta.url)
const preface = `# Measured

Written by \`npm run bench\`. Each section says when it was measured, on which commit and on which machine. Figures depend on the
machine: read the ratios. What misses its goal is bold, and the reason stands below.

`

/** A section of `results.md` under way. */
export type Section = {
  /** adds a line, and prints it */
  say: (line: string) => void
  /** the figure as text, bold where it misses its goal. @param figure as `goals.ts` names it */
  judged: (figure: string, value: number, text: string) => string
  /** the goal of a figure as text, such as `≥ 0.7` */
  goalOf: (figure: string) => string
  /** puts the section into the file, in the place of what the last run of the part wrote */
  write: () => void
}

/** @throws if the file cannot be written, before anything is measured */
export function openSection(part: Part): Section {
  if (existsSync(file)) accessSync(file, constants.W_OK)
  const startedAt = new Date()
  const measuredCommit = commit()
  const lines: string[] = []
  const missed = new Set<string>()
  const goal = (figure: string): Goal => {
    const found = goals[part][figure]
    if (!found) throw new Error(`goals.ts has no goal for ${part}: ${figure}`)
    return found
  }
  return {
    say: (line) => {
      process.stdout.write(`${line}\n`)
      lines.push(line)
    },
    judged: (figure, value, text) => {
      if (reaches(value, goal(figure))) return text
      missed.add(figure)
      return `**${text}**`
    },
    goalOf: (figure) => {
      const wanted = goal(figure)
      const [sign, bound] = 'atLeast' in wanted ? ['≥', wanted.atLeast] : ['≤', wanted.atMost]
      return `${sign} ${bound.toLocaleString('en')}${wanted.unit}`
    },
    write: () => {
      const text = [
        `## ${parts[part]}`,
        '',
        head(startedAt, measuredCommit),
        '',
        ...lines,
        ...reasons([...missed], goal),
        '',
      ].join('\n')
      const others = existsSync(file) ? readFileSync(file, 'utf8').split(/^(?=## )/m) : []
      const sections = Object.entries(parts).flatMap(([name, title]) =>
        name === part ? [text] : others.filter((other) => other.startsWith(`## ${title}\n`)).map(trimmed),
      )
      writeFileSync(file, preface + sections.join('\n'))
    },
  }
}

/** @returns false for what is no number */
function reaches(value: number, goal: Goal): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost
}

function trimmed(section: string): string {
  return `${section.trimEnd()}\n`
}

/** A line for each reason, with the figures that it explains. */
function reasons(missed: readonly string[], goal: (figure: string) => Goal): string[] {
  const byReason = Map.groupBy(missed, (figure) => goal(figure).why ?? 'not looked into yet.')
  return missed.length === 0
    ? []
    : ['', ...[...byReason].map(([why, figures]) => `- Why ${figures.join(', ')}: ${why}`)]
}

function head(startedAt: Date, measuredCommit: string): string {
  const when = startedAt.toISOString().slice(0, 16).replace('T', ' ')
  const minutes = Math.ceil((Date.now() - startedAt.getTime()) / 60_000)
  const gigabytes = (totalmem() / 1e9).toFixed(0)
  return (
    `${when} UTC, in ${minutes} min, on commit ${measuredCommit}; Node ${process.version}, ` +
    `${cpus().length} × ${cpus()[0]!.model.trim()}, ${gigabytes} GB of memory.`
  )
}

function commit(): string {
  const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim()
  const hash = git('rev-parse', '--short', 'HEAD')
  return git('status', '--porcelain', '--', '.', ':!bench/results*') === '' ? hash : `${hash} with changes`
}

/** Of an odd number of measurements, the one in the middle. */
export function medianBy<Measured>(all: readonly Measured[], of: (one: Measured) => number): Measured {
  return all.toSorted((a, b) => of(a) - of(b))[all.length >> 1]!
}

/** The measurement that this share of them all lies below; of none, NaN. */
export function quantile(all: readonly number[], share: number): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length * share)] ?? Number.NaN
}
