import { Ajv2020 } from 'ajv/dist/2020.js'
import { Type, type TSchema } from 'typebox'
import { findingCodes, severities } from '../../vocabulary/artwork.ts'
import { type EngineReport, largePictureBytes, pictureSizes } from '../reports.ts'
import { BadReport, type Frame } from './frames.ts'
import { isPng } from './png.ts'

/**
 * What a child may say. The child has read a stranger's file, so it is not trusted: everything is checked here before
 * the service uses it.
 */

const pagesMax = 10_000
const findingsMax = 5_000

/** Text as the database takes it: whole characters, no control characters. */
const text = (maxLength: number): TSchema => Type.String({ maxLength, pattern: '^[^\\p{Cc}\\p{Cs}]*$' })
const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()])
const length = Type.Number({ minimum: -1e9, maximum: 1e9 })
const box = orNull(Type.Array(length, { minItems: 4, maxItems: 4 }))
const page = Type.Integer({ minimum: 1, maximum: pagesMax })
const oneOf = (words: readonly string[]): TSchema => Type.Union(words.map((word) => Type.Literal(word)))

function closed(properties: Record<string, TSchema>): TSchema {
  return Type.Object(properties, { additionalProperties: false })
}

const findings = Type.Array(
  closed({
    code: oneOf(findingCodes),
    severity: oneOf(severities),
    page: orNull(page),
    box,
    subject: orNull(text(500)),
    found: orNull(text(500)),
    wanted: orNull(text(500)),
    unit: orNull(text(50)),
    count: Type.Integer({ minimum: 1, maximum: 1e9 }),
    message: text(2_000),
    fix: text(2_000),
  }),
  { maxItems: findingsMax },
)

const ajv = new Ajv2020({ strict: true })

const isReport = {
  findings: ajv.compile(
    closed({
      kind: Type.Literal('findings'),
      mediaType: orNull(text(100)),
      readable: Type.Boolean(),
      findings,
      pages: Type.Array(closed({ page, width: length, height: length, trimBox: box, bleedBox: box }), {
        maxItems: pagesMax,
      }),
    }),
  ),
  more_findings: ajv.compile(closed({ kind: Type.Literal('more_findings'), findings })),
  picture: ajv.compile(
    closed({
      kind: Type.Literal('picture'),
      page,
      of: oneOf(Object.keys(pictureSizes)),
      width: Type.Integer({ minimum: 1 }),
      height: Type.Integer({ minimum: 1 }),
    }),
  ),
} as const

/**
 * Checks the reports of one file, in their order.
 * @returns takes what a child says, answers the report
 * @throws BadReport
 */
export function createReportCheck(): (frame: Frame) => EngineReport {
  const told = {
    pages: new Set<number>(),
    hasFindings: false,
    findings: 0,
    pictures: new Set<string>(),
    bytes: 0,
    page: 0,
    isFull: false,
  }

  return ({ head, bytes }) => {
    const report = reportIn(head)
    if (report.kind === 'findings' ? told.hasFindings : !told.hasFindings) throw new BadReport('out of order')
    if (report.kind === 'picture') {
      const { page: number, of, width, height } = report
      const name = `${of} of page ${number}`
      if (!told.pages.has(number) || told.pictures.has(name)) throw new BadReport(`no picture is due: ${name}`)
      if (Math.max(width, height) > pictureSizes[of]) throw new BadReport(`too large: ${name}`)
      if (number !== told.page) Object.assign(told, { page: number, isFull: told.bytes >= largePictureBytes })
      if (told.isFull && of !== 'small' && of !== 'medium') throw new BadReport(`pictures have their bytes: ${name}`)
      if (!isPng(bytes, width, height)) throw new BadReport(`not a PNG of its size: ${name}`)
      told.pictures.add(name)
      told.bytes += bytes.length
      return { ...report, png: Buffer.from(bytes) }
    }
    told.hasFindings = true
    told.findings += report.findings.length
    if (told.findings > findingsMax) throw new BadReport('too many findings')
    if (report.kind === 'findings') for (const { page: number } of report.pages) told.pages.add(number)
    return report
  }
}

function reportIn(head: unknown): EngineReport {
  const { kind } = Object(head) as { kind?: unknown }
  const check = typeof kind === 'string' && Object.hasOwn(isReport, kind) && isReport[kind as keyof typeof isReport]
  if (!check) throw new BadReport('no report')
  if (!check(head)) throw new BadReport(ajv.errorsText(check.errors))
  return head as EngineReport
}
