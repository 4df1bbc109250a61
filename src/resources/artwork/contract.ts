import { Type } from 'typebox'
import { artworkFindings, artworkPages, ArtworkSummary } from '../../contract/artwork.ts'
import {
  bodyObject,
  described,
  flag,
  instant,
  longNumber,
  nullable,
  oneOf,
  openEnum,
  record,
  text,
  whole,
} from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import { uploadBody } from '../../contract/upload.ts'
import { inspectionStatuses } from '../../vocabulary/statuses.ts'

export const filesMax = 20

const line = { orderNumber: longNumber, itemNumber: longNumber }

export const UploadReservation = record('UploadReservation', {
  ...line,
  reservationName: described(text, 'send it once, to attach the file'),
  uploadUrl: Type.String({
    format: 'uri',
    description: 'a credential: anyone who has it can upload. Do not store or log it',
  }),
  uploadMethod: oneOf(['PUT']),
  contentType: nullable(described(text, 'the Content-Type that the PUT must carry; null = none is required')),
  expiresAt: nullable(described(instant, 'about one minute from now; null = assume one minute')),
})

export const PrintFile = record('PrintFile', {
  ...line,
  fileName: described(text, 'as stored; safe in URLs'),
  fileSize: described(whole, 'in bytes, as the storage reports it'),
  md5: described(text, 'as the storage reports it'),
  active: flag,
})

export const LineArtwork = record('LineArtwork', {
  ...line,
  files: Type.Array(
    record('ArtworkFile', {
      fileName: described(text, 'as stored'),
      fileSize: described(whole, 'in bytes'),
      md5: text,
      active: flag,
      attachedOn: instant,
      source: openEnum(['UPLOAD', 'URL', 'STAFF', 'TEMPLATE'], 'who or what brought it'),
      inspection: record('ArtworkInspection', {
        status: openEnum(inspectionStatuses, 'queued and inspecting go on by themselves'),
        inspectedOn: nullable(described(instant, 'null = not yet')),
        summary: ArtworkSummary,
        findings: artworkFindings,
        pages: artworkPages,
      }),
    }),
    { maxItems: filesMax, description: `oldest first, the ${filesMax} newest at most` },
  ),
})

const takenFiles =
  'Lines of every product take files, whatever its artworkSource: a stock product may be decorated on request. The ' +
  "product's artworkTypes say which types it takes; a file's type is told by its content."

export const artwork = {
  getArtwork: operation({
    id: 'getArtwork',
    at: 'GET /v1/orders/{orderNumber}/items/{itemNumber}/artwork',
    scope: 'orders:read',
    answers: { 200: LineArtwork },
    refuses: ['order_item_not_found'],
    says: 'Shows the print files of a line, what inspection found in each, and pictures of their pages.',
    agentNote: 'You see page 1 of the newest file. Call again while one is queued or inspecting.',
  }),
  reserveArtworkUpload: operation({
    id: 'reserveArtworkUpload',
    at: 'POST /v1/orders/{orderNumber}/items/{itemNumber}/artwork/upload-url',
    scope: 'orders:write',
    body: uploadBody,
    answers: { 200: UploadReservation },
    confidential: true,
    refuses: ['order_item_not_found', 'order_item_cancelled', 'artwork_reservation_not_usable'],
    says: 'Reserves a signed URL to upload one print file of a line; it expires after about a minute.',
    agentNote:
      'PUT the bytes to uploadUrl, then attach the file by its reservationName. The URL is a credential: do not repeat or ' +
      'store it.',
  }),
  attachArtwork: operation({
    id: 'attachArtwork',
    at: 'POST /v1/orders/{orderNumber}/items/{itemNumber}/artwork',
    scope: 'orders:write',
    body: {
      // Longer than any reservation's name; an unknown one is 409.
      schema: bodyObject({ reservationName: Type.String({ minLength: 1, maxLength: 255 }) }),
      malformed: 'invalid_request',
      nulls: 'refused',
      example: { reservationName: 'res_7Yt2mQk4' },
    },
    answers: { 200: PrintFile },
    refuses: ['order_item_not_found', 'order_item_cancelled', 'artwork_reservation_not_usable'],
    says: 'Attaches an uploaded print file to a line, in addition to its other files, and sends the line to prepress.',
    agentNote: takenFiles,
  }),
}

/**
 * What only agents are offered: they seldom have the bytes of a file, but often its address. The path is that of
 * `attachArtwork`, whose work this does; nothing is served there for it.
 */
export const artworkTools = {
  attachArtworkFromUrl: operation({
    id: 'attachArtworkFromUrl',
    at: artwork.attachArtwork.at,
    scope: 'orders:write',
    body: {
      schema: bodyObject({
        artworkUrl: Type.String({ minLength: 1, maxLength: 2000, description: 'the URL of the print file' }),
      }),
      malformed: 'invalid_request',
      nulls: 'refused',
      example: { artworkUrl: 'https://files.example.com/reminder-cards.pdf' },
    },
    answers: artwork.attachArtwork.answers,
    // The download has a limit of its own.
    takesTime: true,
    refuses: ['invalid_request', ...artwork.reserveArtworkUpload.refuses, ...artwork.attachArtwork.refuses],
    says: 'Fetches a print file from a URL and attaches it to a line, in addition to its other files, and sends the line to prepress.',
    agentNote: 'It takes the files that attach_artwork takes.',
    agents: { openWorld: true },
  }),
}
