import { spawn } from 'node:child_process'
import type { RunAs } from './run-as.ts'

/** The complete environment of PostgreSQL's processes. It contains nothing of the service's own, which has secrets. */
export const bareEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * Runs a program to its end and answers its exit code (null after a signal) and all its output. It runs in its own
 * session, so it has no terminal: a Ctrl-C does not reach it, and a password prompt reads `input`. Rejects with the
 * system's error when the program cannot be started.
 */
export function runCommand(
  program: string,
  parameters: readonly string[],
  { folder, runAs, input = '' }: { folder: string; runAs: RunAs | undefined; input?: string },
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, { ...runAs, cwd: folder, env: bareEnvironment, detached: true })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    // A program that ends before it reads everything is not an error; the exit code says whether it failed.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}
