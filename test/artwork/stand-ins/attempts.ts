import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'

/** What a child that hostile content has taken over may try. */
export type Targets = {
  /** to read, and to write beside */
  files: string[]
  /** of a listener on loopback */
  port: number
  /** the process that started it */
  service: number
}

/** Tries it; `done`, or the code of the error, by name. */
export async function attempts({ files, port, service }: Targets): Promise<Record<string, string>> {
  const came: Record<string, string> = { environment: Object.keys(process.env).join() }
  const attempt = async (name: string, deed: () => unknown): Promise<void> => {
    try {
      await deed()
      came[name] = 'done'
    } catch (error) {
      came[name] = (error as NodeJS.ErrnoException).code ?? String(error)
    }
  }
  for (const file of files) {
    await attempt(`read ${file}`, () => readFileSync(file))
    await attempt(`write beside ${file}`, () => writeFileSync(`${file}.new`, 'x'))
  }
  await attempt('spawn', () => outcome((done, failed) => spawn('/bin/true').on('exit', done).on('error', failed)))
  await attempt('worker', () =>
    outcome((done, failed) => new Worker('', { eval: true }).on('exit', done).on('error', failed)),
  )
  await attempt('connect', () =>
    outcome((done, failed) => connect(port, '127.0.0.1').on('connect', done).on('error', failed)),
  )
  await attempt('signal', () => process.kill(service, 0))
  return came
}

function outcome(begin: (done: () => void, failed: (error: Error) => void) => unknown): Promise<void> {
  return new Promise((done, failed) => void begin(done, failed))
}
