import { writeFileSync } from 'node:fs'

/** Prints lines as they come, and writes the lines of the last run to a file in this folder. */
export function keptLines(file: string): (line: string) => void {
  let text = ''
  return (line) => {
    process.stdout.write(`${line}\n`)
    text += `${line}\n`
    writeFileSync(new URL(file, import.meta.url), text)
  }
}
