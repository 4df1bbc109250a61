import { factsOf, tableOf, type Column, type Layout } from './layout.ts'
import { painted, textOf, type Piece } from './pieces.ts'
import { safeJson, safeText } from './safe-text.ts'

/**
 * The only place that writes to the terminal. Whatever it prints is made safe first, so that no text of the service can
 * carry escape sequences there. Results go to stdout, everything else to stderr.
 */
export type Terminal = {
  /** a line of the result */
  print: (...pieces: Piece[]) => void
  table: <Row>(columns: readonly Column<Row>[], rows: readonly Row[]) => void
  facts: (facts: readonly (readonly [name: string, fact: Piece])[]) => void
  /** one JSON document; with `line` on one line, for a stream of them */
  json: (value: unknown, line?: 'line') => void
  /** the program's own text as it is: help, completion */
  own: (text: string) => void
  /** the same on stderr */
  ownTold: (text: string) => void
  /** a line for people beside the result: what is going on, hints, errors */
  say: (...pieces: Piece[]) => void
  /** the line that stands for something under way, replaced by the next; where nobody watches it does nothing */
  progress: (text: string | undefined) => void
  /** stdout is a terminal that somebody watches */
  isWatched: boolean
  /** somebody watches stderr */
  isTold: boolean
}

type Stream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number }

export function openTerminal(stdout: Stream, stderr: Stream, environment: NodeJS.ProcessEnv): Terminal {
  const mayColour = !environment.NO_COLOR && environment.TERM !== 'dumb'
  const coloursOut = mayColour && stdout.isTTY === true
  const coloursErr = mayColour && stderr.isTTY === true
  let shown = false

  function clear(): void {
    if (shown) stderr.write('\r\u001B[K')
    shown = false
  }

  function write(stream: Stream, inColour: boolean, pieces: readonly Piece[]): void {
    clear()
    const line = pieces.map((piece) => painted(piece, safeText(textOf(piece)), inColour)).join('')
    stream.write(`${line.trimEnd()}\n`)
  }

  const lay = (layout: Layout): void => layout.forEach((line) => write(stdout, coloursOut, line))

  return {
    print: (...pieces) => write(stdout, coloursOut, pieces),
    table: (columns, rows) => lay(tableOf(columns, rows, stdout.isTTY ? (stdout.columns ?? 80) : undefined)),
    facts: (facts) => lay(factsOf(facts)),
    json: (value, line) => {
      clear()
      stdout.write(`${safeJson(value, line ? undefined : 2)}\n`)
    },
    own: (text) => {
      clear()
      stdout.write(text)
    },
    ownTold: (text) => {
      clear()
      stderr.write(text)
    },
    say: (...pieces) => write(stderr, coloursErr, pieces),
    progress: (text) => {
      if (!stderr.isTTY) return
      clear()
      if (text === undefined) return
      stderr.write(safeText(text).slice(0, (stderr.columns ?? 80) - 1))
      shown = true
    },
    isWatched: stdout.isTTY === true,
    isTold: stderr.isTTY === true,
  }
}
