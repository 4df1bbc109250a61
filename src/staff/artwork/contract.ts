import { Type } from 'typebox'
import { artworkPage, ArtworkSummary, finding, findingsMax } from '../../contract/artwork.ts'
import {
  bodyObject,
  described,
  filledText,
  flag,
  instant,
  int32,
  longNumber,
  nullable,
  oneOf,
  pageOf,
  record,
  text,
  uuid,
  whole,
} from '../../contract/fields.ts'
import { paged, pathParameters, siteIdFilter, wordFilter } from '../../contract/parameters.ts'
import { findingCodes } from '../../vocabulary/artwork.ts'
import { inspectionStatuses } from '../../vocabulary/statuses.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const link = nullable(
  Type.String({ format: 'uri', description: 'signed and good for five minutes; null = cannot be downloaded now' }),
)

const inspection = {
  inspectionId: described(uuid, 'the inspection'),
  status: oneOf(inspectionStatuses),
  inspectedOn: nullable(described(instant, 'null = not yet')),
  summary: described(ArtworkSummary, 'waived findings count as info'),
}

export const InspectionView = record('Inspection', {
  ...inspection,
  siteId: int32,
  orderNumber: longNumber,
  lineNumber: whole,
  fileName: text,
  attachedOn: instant,
  codes: Type.Array(oneOf(findingCodes), { description: 'what was found, each once' }),
})

const Waiver = record('Waiver', {
  reason: text,
  actorId: described(text, 'the person who waived it'),
  waivedOn: instant,
})

export const filesMax = 200

const pictures = ['small', 'medium', 'large', 'guides', 'finished'] as const

export const InspectedFile = record('InspectedFile', {
  fileName: text,
  sizeBytes: whole,
  md5: text,
  active: flag,
  source: described(oneOf(['UPLOAD', 'URL', 'STAFF', 'TEMPLATE']), 'who or what brought it'),
  attachedOn: instant,
  ...inspection,
  findings: Type.Array(
    record('InspectedFinding', {
      ...finding,
      severity: described(finding.severity, 'as found, also of a waived finding'),
      waiver: described(nullable(Waiver), 'why it does not count; null = it does'),
    }),
    { maxItems: findingsMax, description: 'by falling weight' },
  ),
  pages: Type.Array(
    record('InspectedPage', {
      ...artworkPage,
      pictures: Type.Array(
        record('InspectedPicture', {
          of: described(
            oneOf(pictures),
            'small, medium and large are bare; guides has trim, bleed and safe area drawn; finished is the piece as a customer holds it',
          ),
          width: described(whole, 'in pixels'),
          height: described(whole, 'in pixels'),
          link,
        }),
        { description: 'PNG files' },
      ),
    }),
    { description: 'in their order; while the file is inspected, their pictures come one by one' },
  ),
})

export const InspectedLine = record('InspectedLine', {
  orderNumber: longNumber,
  lineNumber: whole,
  files: Type.Array(InspectedFile, { maxItems: filesMax, description: `oldest first, the ${filesMax} newest at most` }),
})

const which = {
  code: oneOf(findingCodes),
  page: nullable(described(whole, 'as the finding has it')),
  subject: nullable(described(text, 'as the finding has it')),
}

const hairline = { code: 'hairline', page: 1, subject: null }

export const artworkInspections = staffSubject({
  name: 'Artwork',
  says: 'What inspection found in print files. Every change answers with the files of the line.',
  problems: {
    order_not_found: [404, 'No such order.'],
    line_not_found: [404, 'The order has no such line.'],
    inspection_not_found: [404, 'No inspection of a print file has this id.'],
    inspection_not_done: [409, 'The inspection is not done yet.'],
    no_such_finding: [422, 'The inspection has no such finding.'],
    already_waived: [409, 'The finding is waived already.'],
    not_waived: [409, 'The finding is not waived.'],
  },
  operations: {
    listInspections: staffOperation({
      id: 'listInspections',
      at: 'GET /staff/v1/{environment}/artwork-inspections',
      permission: 'orders:read',
      query: {
        siteId: siteIdFilter,
        status: wordFilter(inspectionStatuses, 'invalid_request', 'only inspections with this status'),
        code: wordFilter(findingCodes, 'invalid_request', 'only files in which this was found'),
        orderNumber: { ...pathParameters.orderNumber, says: 'only files of this order' },
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'inspections',
      answers: { 200: pageOf('InspectionPage', 'inspections', InspectionView) },
      refuses: [],
      says: 'Lists the inspections of print files, newest first. A page of a site or a code looks at 1,000 inspections, so it may have few or none: go on with its nextCursor.',
    }),
    readLineArtwork: staffOperation({
      id: 'readLineArtwork',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/artwork',
      permission: 'orders:read',
      answers: { 200: InspectedLine },
      refuses: ['line_not_found'],
      says: 'Shows the print files of a line with their findings, pages, boxes and pictures.',
    }),
    waiveFinding: staffOperation({
      id: 'waiveFinding',
      at: 'POST /staff/v1/{environment}/artwork-inspections/{inspectionId}/waive',
      permission: 'orders:write',
      body: {
        schema: bodyObject({ ...which, reason: described(filledText(1_000), 'why it does not matter here') }),
        example: { ...hairline, reason: 'The customer wants the fine lines as they are.' },
      },
      answers: { 200: InspectedLine },
      refuses: ['inspection_not_found', 'order_not_found', 'inspection_not_done', 'no_such_finding', 'already_waived'],
      says: 'Waives a finding of a print file. It stays listed, and nothing waits for it any more.',
    }),
    unwaiveFinding: staffOperation({
      id: 'unwaiveFinding',
      at: 'POST /staff/v1/{environment}/artwork-inspections/{inspectionId}/unwaive',
      permission: 'orders:write',
      body: { schema: bodyObject(which), example: hairline },
      answers: { 200: InspectedLine },
      refuses: ['inspection_not_found', 'order_not_found', 'not_waived'],
      says: 'Takes a waiver back: the finding counts again.',
    }),
    inspectAgain: staffOperation({
      id: 'inspectAgain',
      at: 'POST /staff/v1/{environment}/artwork-inspections/{inspectionId}/inspect-again',
      permission: 'orders:write',
      answers: { 200: InspectedLine },
      refuses: ['inspection_not_found', 'order_not_found', 'inspection_not_done'],
      says: "Inspects a print file again, against the product's rules of today.",
    }),
  },
})
