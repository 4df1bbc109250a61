import pino from 'pino'
import { loggedError } from './logged-error.ts'

/** The log of the service: a line of JSON for each entry, with its level as a word and its time in ISO 8601. */
export function serviceLog(level: string, destination: pino.DestinationStream): pino.Logger {
  return pino(
    {
      level,
      formatters: { level: (word) => ({ level: word }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: loggedError, error: loggedError },
    },
    destination,
  )
}
