import { readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { readSettings, type Settings } from './settings.ts'
import { SettingRefused } from './vocabulary/setting-refused.ts'

/**
 * The settings of a process, from three places: environment variables, the file `.env`, and files with one secret each.
 * The process's own environment stays as it is, so its children inherit nothing of the files.
 */

type Variables = Readonly<Record<string, string | undefined>>

/** Settings that are secrets or hold one. `NAME_FILE` names a file with the value of each. */
const secrets = [
  'SECRET_KEY',
  'SECRET_KEYS',
  'DATABASE_URL',
  'SANDBOX_DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'SANDBOX_MIGRATION_DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'SMTP_URL',
  'EASYPOST_API_KEY',
  'SANDBOX_EASYPOST_API_KEY',
  'STRIPE_API_KEY',
  'SANDBOX_STRIPE_API_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const

/** @throws SettingRefused on the first value that cannot be used, and on a name in the file that is no setting */
export function settingsOfProcess(environment: Variables): Settings {
  const fromFile = variablesOfFile(environment)
  const asked = new Set<string>()
  const noting = new Proxy(together(fromFile, environment), {
    get: (variables, name: string) => {
      asked.add(name)
      return variables[name]
    },
  })
  const settings = readSettings(noting)
  const namesOfFiles = new Set<string>(secrets.map(fileVariable))
  const unknown = Object.keys(fromFile).find((name) => !asked.has(name) && !namesOfFiles.has(name))
  if (unknown !== undefined) throw new SettingRefused(`${fileName(environment)} sets ${unknown}, which is no setting.`)
  return settings
}

/**
 * The variables of a process with what its files add, for programs that need a few of them.
 * @throws SettingRefused when a file cannot be read
 */
export function variablesOfProcess(environment: Variables): Variables {
  return together(variablesOfFile(environment), environment)
}

/** Real variables win, even empty ones. */
function together(fromFile: Variables, environment: Variables): Record<string, string | undefined> {
  const variables = { ...fromFile, ...environment }
  for (const name of secrets) {
    const file = variables[fileVariable(name)]
    if (file === undefined || file === '') continue
    if (variables[name]) throw new SettingRefused(`${name} and ${fileVariable(name)} must not both be set.`)
    variables[name] = secretIn(file, fileVariable(name))
  }
  return variables
}

function fileVariable(name: string): string {
  return `${name}_FILE`
}

function secretIn(file: string, variable: string): string {
  const value = readOrRefuse(file, variable).replace(/\r?\n$/, '')
  // Taken as not set, the service would go on without it.
  if (value === '') throw new SettingRefused(`${variable} ${file} is empty.`)
  return value
}

/** `ENV_FILE`, or `.env` in the working directory where there is one. */
function variablesOfFile(environment: Variables): Variables {
  const file = fileName(environment)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (!environment.ENV_FILE && (error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new SettingRefused(`${environment.ENV_FILE ? `ENV_FILE ${file}` : file} cannot be read: ${codeOf(error)}.`)
  }
  const wrong = text.split(/\r?\n/).findIndex((line) => !lineForm.test(line))
  // The line may hold a secret, so the sentence gives only its number.
  if (wrong >= 0) throw new SettingRefused(`${file} must have NAME=value in each line; line ${wrong + 1} has not.`)
  return parseEnv(text)
}

/** Nothing, a comment, or a variable; a quoted value ends in its line. Node's parser skips what it does not understand. */
const lineForm =
  /^\s*(?:#.*|(?:export\s+)?[A-Za-z_]\w*\s*=\s*(?:"[^"]*"\s*(?:#.*)?|'[^']*'\s*(?:#.*)?|`[^`]*`\s*(?:#.*)?|[^"'`\s].*)?)?$/

function fileName(environment: Variables): string {
  return environment.ENV_FILE || '.env'
}

function readOrRefuse(file: string, variable: string): string {
  try {
    // Others may never end.
    if (statSync(file).isFile()) return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SettingRefused(`${variable} ${file} cannot be read: ${codeOf(error)}.`)
  }
  throw new SettingRefused(`${variable} ${file} must be a file.`)
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown'
}
