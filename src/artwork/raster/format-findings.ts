import type { ArtworkProfile } from '../../vocabulary/artwork.ts'
import type { PageFindings } from '../findings/page-findings.ts'
import type { Format } from './format.ts'

/** What the shape of a picture tells, whatever it shows. */
export function addFormatFindings(
  findings: PageFindings,
  [width, height]: readonly [number, number],
  format: Format | null,
  profile: ArtworkProfile,
): void {
  const { trimWidth, trimHeight, bleed } = profile
  if (trimWidth === null || trimHeight === null) return
  if (format === null) {
    const wanted = [trimWidth + 2 * (bleed ?? 0), trimHeight + 2 * (bleed ?? 0)] as const
    findings.add('shape_differs', { found: proportion(width, height), wanted: proportion(...wanted) })
    return
  }
  const [across, down] = format.size
  if (format.turned && across !== down) findings.add('page_turned', { found: [across, down], wanted: [down, across] })
  if (bleed !== null && format.beyond < bleed) findings.add('bleed_missing', { found: 0, wanted: bleed })
}

/** @param perInch the pixels of the picture for each inch of the product */
export function addPixelsTooFew(findings: PageFindings, perInch: number, profile: ArtworkProfile): void {
  const { imagePpiError, imagePpiWarn } = profile
  if (imagePpiError !== null && perInch < imagePpiError)
    findings.add('pixels_too_few', { found: Math.floor(perInch), wanted: imagePpiError })
  else if (imagePpiWarn !== null && perInch < imagePpiWarn)
    findings.add('pixels_too_few', { found: Math.floor(perInch), wanted: imagePpiWarn, mild: true })
}

function proportion(width: number, height: number): string {
  return `${Math.round((width / height) * 1000) / 1000} : 1`
}
