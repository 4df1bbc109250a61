import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ArtworkSource } from '../../vocabulary/product-kinds.ts'

/**
 * The reasons for declining a proof. A line's reasons depend on the source of its artwork and on the reasons that its
 * site has switched off (PRF-24). `UNKNOWN` is never among them.
 */
export type DenialReason = { code: string; label: string; description: string | null }

const reasons: readonly (DenialReason & { only?: ArtworkSource })[] = [
  { code: 'COLOR', label: 'Color', description: 'Colors are not as expected.' },
  { code: 'CONTENT', label: 'Content', description: 'Something is missing, or should not be there.' },
  { code: 'IMAGE_QUALITY', label: 'Image quality', description: 'An image is blurred, pixelated or damaged.' },
  { code: 'LAYOUT', label: 'Layout', description: 'Something stands in the wrong place.' },
  { code: 'SIZE', label: 'Size', description: 'The format or a dimension is wrong.' },
  { code: 'SPELLING', label: 'Spelling', description: 'A text has a typing error.' },
  {
    code: 'TEMPLATE_DATA',
    label: 'Template data',
    description: 'What was filled into the template is wrong.',
    only: 'TEMPLATE',
  },
  {
    code: 'BLEED_OR_TRIM',
    label: 'Bleed or trim',
    description: 'The uploaded artwork lacks bleed, or is cut in the wrong place.',
    only: 'UPLOAD',
  },
  { code: 'WRONG_FILE', label: 'Wrong file', description: 'The proof shows another artwork than the one meant.' },
  { code: 'OTHER', label: 'Other', description: null },
]

/** @param switchedOff codes the line's site does not offer */
export function denialReasons(artworkSource: ArtworkSource, switchedOff: readonly string[]): DenialReason[] {
  return reasons
    .filter((reason) => reason.only === undefined || reason.only === artworkSource)
    .filter((reason) => !switchedOff.includes(reason.code))
    .map(({ code, label, description }) => ({ code, label, description }))
}

/** The reasons of a line; undefined if there is no such line. */
export async function readDenialReasons(
  queries: Queries,
  orderNumber: number,
  lineNumber: number,
): Promise<DenialReason[] | undefined> {
  const line = await queries.row<{ artworkSource: ArtworkSource; switchedOff: string[] }>(sql`
    select artwork_source,
      array(select code from denial_reason_switched_off off where off.site_id = order_line.site_id) as switched_off
    from order_line where order_number = ${orderNumber} and line_number = ${lineNumber}`)
  return line && denialReasons(line.artworkSource, line.switchedOff)
}

/** The detail for a reason that a line does not offer (PRF-25). @param offered the codes that it offers */
export function offeredReasons(offered: readonly string[]): string {
  return offered.length === 0
    ? 'The line offers no reasons to decline.'
    : `The line does not offer this reason. Offered: ${offered.join(', ')}.`
}
