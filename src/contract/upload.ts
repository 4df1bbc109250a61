import type { JsonObject } from '../vocabulary/json.ts'
import { isMediaType, isPlainFileName } from '../vocabulary/text.ts'
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
