import { Type } from 'typebox'
import type { JsonObject } from '../vocabulary/json.ts'
import { isMediaType, isPlainFileName } from '../vocabulary/text.ts'
import { bodyObject, described, textUpTo } from './fields.ts'
import type { BodyFault } from './refusal.ts'

/** What the schema of a reservation cannot say: a plain file name (ART-08) and a media type (ART-09). */
export function checkUpload({ fileName, contentType }: JsonObject): BodyFault[] {
  const faults: BodyFault[] = []
  if (typeof fileName === 'string' && !isPlainFileName(fileName)) {
    const detail = 'The field fileName must be a plain file name, without slashes or control characters.'
    faults.push({ path: 'fileName', rule: 'fileName', detail })
  }
  if (typeof contentType === 'string' && !isMediaType(contentType)) {
    const detail = 'The field contentType must be a media type such as image/png.'
    faults.push({ path: 'contentType', rule: 'mediaType', detail })
  }
  return faults
}

/** The body with which partners reserve an upload. */
export const uploadBody = {
  schema: bodyObject({
    fileName: Type.String({ minLength: 1, maxLength: 255, description: 'without slashes or control characters' }),
    // The specification gives `contentType` no length; 255 is our own bound.
    contentType: Type.Optional(
      described(textUpTo(255), 'a media type; the PUT must then carry exactly this Content-Type'),
    ),
  }),
  malformed: 'invalid_request',
  nulls: 'refused',
  check: checkUpload,
  example: { fileName: 'reminder-cards.pdf', contentType: 'application/pdf' },
} as const
