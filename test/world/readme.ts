import { readFileSync } from 'node:fs'

/** The commands of the README that put the values of the demo world where guides find them. */
export function demoValues(): string {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  return readme
    .match(/```sh\n[\s\S]*?```/g)!
    .find((block) => block.includes('export SANDBOX='))!
    .slice(6, -3)
}
