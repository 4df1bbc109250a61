/**
 * The words of artwork inspection. Lengths are in points (1/72 inch). Boxes are measured from the lower left corner of
 * the page as it is shown: turned upright, with its UserUnit applied.
 */
export type Box = readonly [left: number, bottom: number, right: number, top: number]

/** The rules of a product for its print files; null = no rule. */
export type ArtworkProfile = {
  trimWidth: number | null
  trimHeight: number | null
  /** how far the art must reach beyond the trim on each side */
  bleed: number | null
  /** how far texts must stay inside the trim on each side */
  safe: number | null
  pagesMin: number | null
  pagesMax: number | null
  pagesMultiple: number | null
  /** an image below it is an error, or a warning, in pixels per inch */
  imagePpiError: number | null
  imagePpiWarn: number | null
  /** the sum of the inks at one place, in percent */
  inkPercentMax: number | null
  textPointsMin: number | null
  linePointsMin: number | null
}

/** The profile of a product without rules. */
export const noArtworkRules: ArtworkProfile = {
  trimWidth: null,
  trimHeight: null,
  bleed: null,
  safe: null,
  pagesMin: null,
  pagesMax: null,
  pagesMultiple: null,
  imagePpiError: null,
  imagePpiWarn: null,
  inkPercentMax: null,
  textPointsMin: null,
  linePointsMin: null,
}

/** By falling weight. `sign_off` is an error until a person accepts it, such as the customer who approves the proof. */
export const severities = ['error', 'sign_off', 'warning', 'info'] as const

export type Severity = (typeof severities)[number]

export const findingCodes = [
  // the file
  'not_readable',
  'too_complex',
  'encrypted',
  'damaged_structure',
  'no_pages',
  'page_count_wrong',
  'active_content',
  'embedded_files',
  'xfa_form',
  'hidden_layers',
  'no_output_intent',
  'output_intent_not_cmyk',
  'not_pdfx',
  'too_slow_to_render',
  // a page
  'page_box_invalid',
  'page_size_wrong',
  'page_turned',
  'page_scaled',
  'page_sizes_differ',
  'trim_box_missing',
  'bleed_missing',
  'bleed_not_filled',
  'page_blank',
  'annotation',
  'form_field',
  // what is on a page
  'image_resolution_low',
  'image_broken',
  'image_too_large',
  'font_not_embedded',
  'text_too_small',
  'text_outside_safe_area',
  'hairline',
  'rgb_used',
  'spot_colours',
  'registration_colour',
  'ink_coverage_high',
  'rich_black_text',
  'small_text_many_inks',
  'white_overprints',
  'transparency',
  'blend_space_rgb',
  // pictures and SVG
  'shape_differs',
  'pixels_too_few',
  'colour_profile_missing',
  'orientation_by_exif',
  'has_alpha',
  'external_reference',
  'text_not_outlined',
] as const

export type FindingCode = (typeof findingCodes)[number]

/** One thing that inspection tells about a file. A file has at most one for each code, page and subject. */
export type Finding = {
  code: FindingCode
  severity: Severity
  /** from 1; null = the whole file */
  page: number | null
  /** where on the page; null = nowhere in particular */
  box: Box | null
  /** what it concerns, such as the name of a font; null = the page or the file itself */
  subject: string | null
  /** what was found, and what the product wants, both in `unit`; a decimal, a size such as `252 × 144`, or a word */
  found: string | null
  wanted: string | null
  unit: string | null
  /** how many times it occurs */
  count: number
  /** sentences for people: what is the matter, and what to do */
  message: string
  fix: string
}

/** A page of a file, as it is shown. */
export type PageBoxes = {
  page: number
  width: number
  height: number
  trimBox: Box | null
  bleedBox: Box | null
}

/** The pictures of a page by the longer side in pixels. */
export const previewSizes = { small: 240, medium: 800, large: 1600 } as const

export type PreviewSize = keyof typeof previewSizes
