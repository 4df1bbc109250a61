import { Type } from 'typebox'
import { artworkFindings, artworkPages } from '../../contract/artwork.ts'
import { artworkProfileFields } from '../../contract/artwork-profile.ts'
import { described, instant, nullable, oneOf, openEnum, productId, record, text, uuid } from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import { uploadBody } from '../../contract/upload.ts'
import { artworkTypes } from '../../vocabulary/product-kinds.ts'
import { artworkCheckStatuses } from '../../vocabulary/statuses.ts'

export const ArtworkProfile = record('ArtworkProfile', artworkProfileFields)

export const ArtworkRequirements = record('ArtworkRequirements', {
  productId,
  types: Type.Array(openEnum(artworkTypes), { description: 'the media types of the files that the product takes' }),
  sentences: Type.Array(text, { description: 'all rules in words, for people' }),
  profile: described(ArtworkProfile, 'the same as numbers'),
  templateUrl: nullable(
    Type.String({
      format: 'uri',
      description:
        'a PDF in the size of the piece with trim, bleed and safe area drawn, to design on; signed and short-lived; null = the product has no size, or no download now',
    }),
  ),
})

export const ArtworkCheckReservation = record('ArtworkCheckReservation', {
  checkId: described(uuid, 'the check; it is forgotten earlier once you have begun 100 newer ones'),
  uploadUrl: Type.String({
    format: 'uri',
    description: 'a credential: anyone who has it can upload. Do not store or log it',
  }),
  uploadMethod: oneOf(['PUT']),
  contentType: nullable(described(text, 'the Content-Type that the PUT must carry; null = none is required')),
  expiresAt: described(instant, 'about one minute from now'),
})

export const ArtworkCheck = record('ArtworkCheck', {
  checkId: described(uuid, 'the check'),
  status: openEnum(
    artworkCheckStatuses,
    'awaiting_upload = PUT the file; upload_expired = no file came in time; queued and inspecting go on by themselves',
  ),
  findings: artworkFindings,
  pages: artworkPages,
})

export const artworkChecks = {
  getArtworkRequirements: operation({
    id: 'getArtworkRequirements',
    at: 'GET /v1/products/{productId}/artwork-requirements',
    scope: 'products:read',
    answers: { 200: ArtworkRequirements },
    // The template may wait for its turn to be drawn.
    takesTime: true,
    refuses: ['product_not_found'],
    says: "Shows the rules for a product's print files, in words and in numbers, and a template to design on.",
  }),
  createArtworkCheck: operation({
    id: 'createArtworkCheck',
    at: 'POST /v1/products/{productId}/artwork-checks',
    scope: 'products:read',
    body: uploadBody,
    answers: { 201: ArtworkCheckReservation },
    confidential: true,
    refuses: ['product_not_found'],
    says: 'Begins to check a file against the rules of a product, without an order; it is forgotten after a day.',
    agentNote: 'PUT the bytes to uploadUrl, then read the check.',
  }),
  getArtworkCheck: operation({
    id: 'getArtworkCheck',
    at: 'GET /v1/products/{productId}/artwork-checks/{checkId}',
    scope: 'products:read',
    answers: { 200: ArtworkCheck },
    refuses: ['product_not_found', 'artwork_check_not_found'],
    says: 'Shows what a check found in its file, and pictures of the pages.',
    agentNote: 'You see page 1. Call again while it is queued or inspecting.',
  }),
}
