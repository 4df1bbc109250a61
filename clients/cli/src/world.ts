import type { ReadStream } from 'node:tty'
import type { Terminal } from './terminal/terminal.ts'

/** What the program runs in. */
export type World = {
  terminal: Terminal
  environment: NodeJS.ProcessEnv
  stdin: NodeJS.ReadStream | ReadStream
  /** aborts when the person ends the program */
  stop: AbortSignal
  /** the file with the credentials */
  credentialsFile: string
  now: () => Date
}

/** Options that every command takes. */
export type Flags = {
  profile?: string
  url?: string
  sandbox?: true
  production?: true
  json?: true
}
