import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseEnv } from 'node:util'

/**
 * Stands for systemctl where there is no systemd: starts what a unit says, with its settings and secrets, and stops it.
 * It does not confine the processes. STAND_IN is its folder; UNITS has the units; SETTINGS stands for /etc/partner-commerce,
 * and PROGRAM for /opt/partner-commerce.
 */
const {
  STAND_IN: folder,
  UNITS: units,
  SETTINGS: settings,
  PROMETHEUS: prometheus,
  PROGRAM: program,
} = process.env as Record<string, string>
const [verb, ...names] = process.argv.slice(2).filter((word) => !word.startsWith('--'))

for (const name of names) {
  if (verb === 'restart') await stop(name)
  await start(name)
}
if (verb !== 'daemon-reload' && names.length === 0) throw new Error(`no unit: ${process.argv.join(' ')}`)

function pidFile(name: string): string {
  return join(folder!, `${name}.pid`)
}

async function stop(name: string): Promise<void> {
  if (!existsSync(pidFile(name))) return
  const pid = Number(readFileSync(pidFile(name), 'utf8'))
  rmSync(pidFile(name))
  process.kill(pid, 'SIGTERM')
  while (isAlive(pid)) await delay(50)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function start(name: string): Promise<void> {
  const log = openSync(join(folder!, `${name}.log`), 'a')
  const { command, env, isOneShot } = name === 'prometheus' ? ofPrometheus() : ofUnit(name)
  const options = {
    cwd: program,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', log, log] as ['ignore', number, number],
  }
  if (isOneShot) {
    const { status } = spawnSync(command[0]!, command.slice(1), options)
    if (status !== 0) process.exit(status ?? 1)
    return
  }
  const child = spawn(command[0]!, command.slice(1), { ...options, detached: true })
  child.unref()
  writeFileSync(pidFile(name), String(child.pid))
}

function ofPrometheus() {
  const command = [
    'prometheus',
    `--config.file=${prometheus}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/prometheus`,
  ]
  return { command: [...command, `--web.listen-address=127.0.0.1:9095`], env: {}, isOneShot: false }
}

function ofUnit(name: string) {
  const [template, instance = ''] = name.split('@')
  const file = join(units!, `${template}${name.includes('@') ? '@' : ''}.service`)
  const credentials = join(folder!, `${name}.credentials`)
  mkdirSync(credentials, { recursive: true })
  const own = (text: string): string =>
    text
      .replaceAll('%i', instance)
      .replaceAll('%d', credentials)
      .replaceAll('/etc/partner-commerce', settings!)
      .replaceAll('/opt/partner-commerce', program!)
      .replaceAll('/var/lib/', `${folder}/`)
  const lines = readFileSync(file, 'utf8').split('\n')
  const valuesOf = (key: string): string[] =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => own(line.slice(key.length + 1)))
  for (const line of valuesOf('LoadCredential')) {
    const [id, path] = line.split(/:(.*)/s) as [string, string]
    writeFileSync(join(credentials, id), readFileSync(path))
  }
  const fromFiles = valuesOf('EnvironmentFile').map((path) => {
    const mayMiss = path.startsWith('-')
    const real = path.replace(/^-/, '')
    return mayMiss && !existsSync(real) ? {} : parseEnv(readFileSync(real, 'utf8'))
  })
  const env = Object.assign(
    {},
    ...valuesOf('Environment').flatMap((line) => line.split(' ').map((pair) => parseEnv(pair))),
    // Files win over the unit.
    ...fromFiles,
  ) as Record<string, string>
  for (const state of valuesOf('StateDirectory')) mkdirSync(join(folder!, basename(state)), { recursive: true })
  return { command: valuesOf('ExecStart')[0]!.split(' '), env, isOneShot: valuesOf('Type')[0] === 'oneshot' }
}
