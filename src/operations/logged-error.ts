import pg from 'pg'

/**
 * What the log says of an error. It is a list of what may be said, since errors carry whatever their makers put there:
 * PostgreSQL's have the whole row in `detail`, with names, addresses and hashes of passwords.
 */
export type LoggedError = {
  name: string
  message: string
  code?: string
  /** of the database */
  constraint?: string
  table?: string
  column?: string
  schema?: string
  stack?: string
  cause?: unknown
}

/** Causes of causes; one may lead back to itself. */
const depthMax = 8

/** Texts stay as they are: callers choose them. Of what is thrown and is no error, only the type is said. */
export function loggedError(thrown: unknown, depth = 0): unknown {
  if (thrown === undefined || thrown === null || typeof thrown === 'string') return thrown
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: 'no error was thrown, but a value' }
  const { name, cause } = thrown
  const message = messageOf(thrown)
  const { code } = thrown as NodeJS.ErrnoException
  const logged: LoggedError = { name, message }
  if (typeof code === 'string') logged.code = code
  if (thrown instanceof pg.DatabaseError) {
    for (const key of ['constraint', 'table', 'column', 'schema'] as const) {
      if (thrown[key] !== undefined) logged[key] = thrown[key]
    }
  }
  const stack = stackOf(thrown, message)
  if (stack !== undefined) logged.stack = stack
  if (cause !== undefined && depth < depthMax) logged.cause = loggedError(cause, depth + 1)
  return logged
}

function messageOf(error: Error): string {
  if (error instanceof pg.DatabaseError) {
    const { code = '' } = error
    if (namesNoValue.has(code) || classesWithoutValue.has(code.slice(0, 2))) return error.message
    return `PostgreSQL refused a statement: ${conditions[code] ?? conditions[code.slice(0, 2)] ?? 'other condition'}`
  }
  // It quotes the text around the place where it is wrong.
  if (error instanceof SyntaxError && error.message.endsWith('is not valid JSON')) return 'a text is not valid JSON'
  return error.message
}

/** A stack begins with the message. Where that is not said, only what follows it is. */
function stackOf({ name, message, stack }: Error, said: string): string | undefined {
  if (stack === undefined || said === message) return stack
  const at = stack.indexOf(message)
  return at < 0 ? undefined : `${name}: ${said}${stack.slice(at + message.length)}`
}

/**
 * Codes of PostgreSQL whose message has no room for a value: it names constraints, tables and columns at most. All others
 * may quote what a partner sent, such as `invalid input syntax for type integer: "…"`.
 */
const namesNoValue = new Set(
  (
    '21000 22001 22004 22012 23001 23502 23503 23505 23514 23P01 ' +
    '42501 42703 42704 42883 42P01 42P10 55000 55006 55P03'
  ).split(' '),
)

/** Of the server and the connection, not of what a statement holds: lost connections, roles, transactions, resources. */
const classesWithoutValue = new Set(['08', '25', '28', '3D', '40', '53', '57', '58'])

/** How PostgreSQL calls the conditions of codes, and of classes of codes. */
const conditions: Readonly<Record<string, string>> = {
  '22': 'data_exception',
  '22003': 'numeric_value_out_of_range',
  '22007': 'invalid_datetime_format',
  '22008': 'datetime_field_overflow',
  '22021': 'character_not_in_repertoire',
  '22023': 'invalid_parameter_value',
  '22P02': 'invalid_text_representation',
  '22P03': 'invalid_binary_representation',
  '22P05': 'untranslatable_character',
  '23': 'integrity_constraint_violation',
  '42': 'syntax_error_or_access_rule_violation',
  '42601': 'syntax_error',
  '42804': 'datatype_mismatch',
  '54': 'program_limit_exceeded',
  '55': 'object_not_in_prerequisite_state',
  P0: 'plpgsql_error',
  P0001: 'raise_exception',
  XX: 'internal_error',
}
