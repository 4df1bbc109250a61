import { finding, type Seen } from '../../artwork/findings/finding.ts'
import type { Finding, FindingCode } from '../../vocabulary/artwork.ts'

/**
 * A finding as a file with that fault gets it, for whoever wants to see one without such a file: the sandbox, which
 * forces findings, and the documents.
 */
export function exampleFinding(code: FindingCode): Finding {
  return finding(code, examples[code])
}

const onPage = { page: 1, box: [90, 54, 162, 90] } as const

/** A business card with everything wrong. */
const examples: Readonly<Record<FindingCode, Seen>> = {
  not_readable: {},
  too_complex: {},
  encrypted: {},
  damaged_structure: {},
  no_pages: {},
  page_count_wrong: { found: 3, wanted: '1 to 2' },
  active_content: { subject: 'JavaScript' },
  embedded_files: {},
  xfa_form: {},
  hidden_layers: { subject: 'Drafts' },
  no_output_intent: {},
  output_intent_not_cmyk: { found: 'RGB', wanted: 'CMYK' },
  not_pdfx: {},
  too_slow_to_render: {},

  page_box_invalid: { page: 1, subject: 'MediaBox' },
  page_size_wrong: { page: 1, found: [241.89, 153.07], wanted: [252, 144] },
  page_turned: { page: 1, found: [144, 252], wanted: [252, 144] },
  page_scaled: { page: 1, found: 50, wanted: 100 },
  page_sizes_differ: { found: 2, wanted: 1 },
  trim_box_missing: { page: 1 },
  bleed_missing: { page: 1, box: [0, 0, 252, 144], found: 0, wanted: 9 },
  bleed_not_filled: { page: 1, box: [252, 0, 261, 162], found: 0, wanted: 9 },
  page_blank: { page: 1 },
  annotation: { ...onPage, subject: 'Text' },
  form_field: onPage,

  image_resolution_low: { ...onPage, subject: 'Im1', found: 96, wanted: 150 },
  image_broken: { ...onPage, subject: 'Im1' },
  image_too_large: { ...onPage, subject: 'Im1', found: 400, wanted: 268 },
  font_not_embedded: { ...onPage, subject: 'Arial' },
  text_too_small: { ...onPage, found: 4, wanted: 5 },
  text_outside_safe_area: { ...onPage, found: 3, wanted: 9 },
  hairline: { ...onPage, found: 0.1, wanted: 0.25 },
  rgb_used: { page: 1, subject: 'images' },
  spot_colours: { subject: 'PANTONE 185 C' },
  registration_colour: onPage,
  ink_coverage_high: { ...onPage, found: 380, wanted: 300 },
  rich_black_text: { ...onPage, found: 300, wanted: 100 },
  small_text_many_inks: { ...onPage, found: 4, wanted: 2 },
  white_overprints: { ...onPage, subject: 'text' },
  transparency: { page: 1 },
  blend_space_rgb: { page: 1 },

  shape_differs: { found: '1.5 to 1', wanted: '1.67 to 1' },
  pixels_too_few: { found: 96, wanted: 150 },
  colour_profile_missing: {},
  orientation_by_exif: {},
  has_alpha: {},
  external_reference: { subject: 'https://files.example.com/logo.png' },
  text_not_outlined: {},
}
