import type { FindingCode, Severity } from '../../vocabulary/artwork.ts'
import { type Amount, decimal, onRulers } from './amounts.ts'

/** What the sentences of a finding are made from. */
export type Told = {
  subject: string | null
  found: Amount
  wanted: Amount
  count: number
}

type Entry = {
  severity: Severity
  /** where the same thing weighs less; the inspector says when (`mild`) */
  mild?: Severity
  /** of `found` and `wanted` */
  unit?: string
  /** what is the matter */
  message: (told: Told) => string
  /** what to do */
  fix: (told: Told) => string
}

const times = ({ count }: Told, one: string, many: string): string => (count === 1 ? one : `${count} ${many}`)
const named = ({ subject }: Told, otherwise: string): string => (subject === null ? otherwise : `“${subject}”`)

/** `2 pages`, `8 to 96 pages in steps of 4`. */
function inPages(wanted: Amount): string {
  const [range = '', ...steps] = decimal(wanted).split(/(?= in steps)/)
  return `${range} ${/^(?:\D* )?1$/.test(range) ? 'page' : 'pages'}${steps.join('')}`
}

/**
 * Every finding: its weight, its unit and its sentences. Weights follow what printers refuse, what they ask their
 * customer to sign, and what they only mention. Colour rules are `mild` for products without a limit of inks: such
 * products are not printed with process inks.
 */
export const catalog: Readonly<Record<FindingCode, Entry>> = {
  // the file
  not_readable: {
    severity: 'error',
    message: () => 'The file cannot be read.',
    fix: () => 'Export the artwork again, open the new file once to see that it is whole, and upload it.',
  },
  too_complex: {
    severity: 'error',
    mild: 'info',
    unit: 'findings',
    message: ({ found, wanted }) =>
      typeof found === 'number'
        ? `The file has more than ${decimal(wanted)} findings. Only the gravest are told.`
        : 'The file is too complex to be checked completely.',
    fix: () => 'Flatten or simplify the artwork (fewer layers, paths and effects), and export it again.',
  },
  encrypted: {
    severity: 'error',
    message: () => 'The file is protected by a password or by permissions.',
    fix: () => 'Save the PDF without any security.',
  },
  damaged_structure: {
    severity: 'warning',
    message: () => 'The inner structure of the file is damaged. What could be found was repaired for this check.',
    fix: () => 'Compare the proof with your artwork, or export the file again.',
  },
  no_pages: {
    severity: 'error',
    message: () => 'The file has no pages.',
    fix: () => 'Export the artwork again with all its pages.',
  },
  page_count_wrong: {
    severity: 'error',
    unit: 'pages',
    message: ({ found, wanted }) =>
      `The file has ${found} ${found === 1 ? 'page' : 'pages'}. The product takes ${inPages(wanted)}.`,
    fix: () => 'Add or remove pages, and upload all of them in one file.',
  },
  active_content: {
    severity: 'warning',
    message: (told) => `The file holds active content (${told.subject ?? 'scripts'}). It is never run and not printed.`,
    fix: () => 'Remove scripts and actions, or export the file for print.',
  },
  embedded_files: {
    severity: 'warning',
    message: (told) => `The file carries ${times(told, 'another file', 'other files')} inside. These are not printed.`,
    fix: () => 'Remove the attachments, and upload what is to be printed as the file itself.',
  },
  xfa_form: {
    severity: 'error',
    mild: 'warning',
    message: () => 'The file is an XFA form. What such a form shows on a screen may not be in print.',
    fix: () => 'Print the filled form into a new PDF, and upload that.',
  },
  hidden_layers: {
    severity: 'sign_off',
    message: (told) => `The layer ${named(told, 'of the file')} is hidden. It is not printed.`,
    fix: () => 'Delete hidden layers, or show those that belong to the artwork.',
  },
  no_output_intent: {
    severity: 'info',
    message: () => 'The file does not say for which printing condition its colours are meant.',
    fix: () => 'Nothing, or export as PDF/X with the profile of the printing condition.',
  },
  output_intent_not_cmyk: {
    severity: 'warning',
    mild: 'info',
    message: ({ found }) => `The file is prepared for ${decimal(found)} output. The product is printed in CMYK.`,
    fix: () => 'Export with a CMYK profile as output intent.',
  },
  not_pdfx: {
    severity: 'info',
    message: () => 'The file does not claim to be PDF/X, the standard for print files.',
    fix: () => 'Nothing, or export as PDF/X-4.',
  },
  too_slow_to_render: {
    severity: 'error',
    message: () => 'The pages take too long to draw, so there is no picture to prove them with.',
    fix: () => 'Flatten or simplify the artwork (fewer effects, smaller images), and export it again.',
  },

  // a page
  page_box_invalid: {
    severity: 'error',
    mild: 'warning',
    message: (told) => `The ${told.subject ?? 'page box'} of the page is missing or makes no sense.`,
    fix: () => 'Set the page boxes in the layout program, and export again.',
  },
  page_size_wrong: {
    severity: 'error',
    unit: 'pt',
    message: ({ found, wanted }) => `The page is ${onRulers(found)}. The product is ${onRulers(wanted)}.`,
    fix: ({ wanted }) => `Set the page to ${onRulers(wanted)} trimmed, plus bleed, and export again.`,
  },
  page_turned: {
    severity: 'sign_off',
    unit: 'pt',
    message: ({ found, wanted }) =>
      `The page lies the other way: it is ${onRulers(found)}, the product is ${onRulers(wanted)}. It will be turned.`,
    fix: () => 'Turn the page by 90 degrees, or see in the proof that it is as you mean it.',
  },
  page_scaled: {
    severity: 'error',
    unit: '%',
    message: ({ subject, found }) =>
      subject === null
        ? `The page has the proportions of the product, but ${decimal(found)} % of its size.`
        : `The page is scaled to ${decimal(found)} % by its ${subject}, which printing systems read differently.`,
    fix: () => 'Export the page in its full size, at a scale of 100 %.',
  },
  page_sizes_differ: {
    severity: 'warning',
    unit: 'sizes',
    message: ({ found }) => `The pages have ${decimal(found)} different sizes.`,
    fix: () => 'Give all pages the same size.',
  },
  trim_box_missing: {
    severity: 'info',
    message: ({ subject }) =>
      `The page does not say where it is cut (it has no TrimBox). We took ${subject ?? 'the size of the product'}.`,
    fix: () => 'Nothing if the proof is right, or export with the TrimBox set.',
  },
  bleed_missing: {
    severity: 'error',
    unit: 'pt',
    message: ({ subject, found, wanted }) =>
      `The page reaches ${onRulers(found)} beyond the cut${subject === null ? '' : ` (${subject})`}. ` +
      `A bleed of ${onRulers(wanted)} is needed on every side.`,
    fix: ({ wanted }) => `Extend the background by ${onRulers(wanted)} on every side, and export with bleed.`,
  },
  bleed_not_filled: {
    severity: 'sign_off',
    unit: 'pt',
    message: ({ found }) =>
      `The art ends ${typeof found === 'number' && found > 0 ? `${onRulers(found)} beyond` : 'at'} the cut: the rest of the ` +
      'bleed is white. White slivers may show at the edge.',
    fix: () => 'Extend the art to the edge of the bleed.',
  },
  page_blank: {
    severity: 'sign_off',
    message: () => 'The page is blank.',
    fix: () => 'Remove the page, or accept it if it is meant to be blank.',
  },
  annotation: {
    severity: 'warning',
    mild: 'info',
    message: (told) => `The page has ${times(told, 'an annotation', 'annotations')} (${told.subject ?? 'a note'}).`,
    fix: () => 'Delete annotations; make what is to be printed part of the page.',
  },
  form_field: {
    severity: 'warning',
    message: (told) => `The page has ${times(told, 'a form field', 'form fields')}. What is filled in may not print.`,
    fix: () => 'Flatten the form, so that its fields become part of the page.',
  },

  // what is on a page
  image_resolution_low: {
    severity: 'error',
    mild: 'warning',
    unit: 'ppi',
    message: (told) =>
      `The image ${named(told, 'of the file')} has ${decimal(told.found)} pixels per inch in the size it is used. ` +
      `${decimal(told.wanted)} are needed.`,
    fix: () =>
      'Use a larger original of the image, or make it smaller on the page. Enlarging its pixels does not help.',
  },
  image_broken: {
    severity: 'error',
    message: (told) => `The image ${named(told, 'of the file')} is damaged.`,
    fix: () => 'Place the image again from its original, and export again.',
  },
  image_too_large: {
    severity: 'error',
    unit: 'megapixels',
    message: (told) =>
      `The image ${named(told, 'of the file')} has ${decimal(told.found)} megapixels. ` +
      `At most ${decimal(told.wanted)} can be handled.`,
    fix: () => 'Make the image smaller: 300 pixels per inch in its final size are enough.',
  },
  font_not_embedded: {
    severity: 'error',
    message: (told) => `The font ${named(told, 'of a text')} is not embedded. Another font would replace it.`,
    fix: () => 'Embed all fonts on export, or turn the text into outlines.',
  },
  text_too_small: {
    severity: 'sign_off',
    unit: 'pt',
    message: ({ found, wanted }) =>
      `There is text of ${decimal(found)} pt. Text below ${decimal(wanted)} pt may not be legible in print.`,
    fix: ({ wanted }) => `Set the text in ${decimal(wanted)} pt or larger.`,
  },
  text_outside_safe_area: {
    severity: 'sign_off',
    unit: 'pt',
    message: ({ found, wanted }) =>
      typeof found === 'number' && found < 0
        ? 'Text crosses the cut: a part of it will be cut off.'
        : `Text stands ${onRulers(found)} from the cut. It should keep ${onRulers(wanted)}, since cuts vary a little.`,
    fix: ({ wanted }) => `Move the text at least ${onRulers(wanted)} inside the cut.`,
  },
  hairline: {
    severity: 'warning',
    unit: 'pt',
    message: ({ found, wanted }) =>
      `There are lines of ${decimal(found)} pt. Lines below ${decimal(wanted)} pt may break up or vanish.`,
    fix: ({ wanted }) => `Give lines a weight of ${decimal(wanted)} pt or more.`,
  },
  rgb_used: {
    severity: 'warning',
    mild: 'info',
    message: (told) => `RGB colours are used in ${told.subject ?? 'the file'}. In print they may look duller.`,
    fix: () => 'Convert to CMYK to see and set the printed colours yourself, or check the colours in the proof.',
  },
  spot_colours: {
    severity: 'sign_off',
    message: (told) => `The spot colour ${named(told, 'of the file')} is used. It will be printed from process inks.`,
    fix: () => 'Convert spot colours to CMYK, or accept that the shade may differ.',
  },
  registration_colour: {
    severity: 'error',
    message: () => 'The registration colour is used within the artwork. It prints every ink in full.',
    fix: () => 'Use black (K 100 %) instead; the registration colour is for printers’ marks only.',
  },
  ink_coverage_high: {
    severity: 'warning',
    unit: '%',
    message: ({ found, wanted }) =>
      `The inks add up to ${decimal(found)} %. More than ${decimal(wanted)} % may smear or not dry.`,
    fix: ({ wanted }) => `Reduce the colours to a total of ${decimal(wanted)} %, for example by a suitable profile.`,
  },
  rich_black_text: {
    severity: 'warning',
    unit: '%',
    message: ({ found }) =>
      `Small black text is mixed from several inks (${decimal(found)} % in all). It may look blurred in print.`,
    fix: () => 'Set small text in pure black (K 100 %).',
  },
  small_text_many_inks: {
    severity: 'warning',
    unit: 'inks',
    message: ({ found }) => `Small text is mixed from ${decimal(found)} inks. It may look blurred in print.`,
    fix: () => 'Set small text in one or two inks, or larger.',
  },
  white_overprints: {
    severity: 'error',
    message: (told) => `White ${told.subject ?? 'art'} is set to overprint: it will vanish in print.`,
    fix: () => 'Switch overprint off for everything white.',
  },
  transparency: {
    severity: 'info',
    message: () => 'The page uses transparency. It is flattened for print.',
    fix: () => 'Nothing, if the proof is right.',
  },
  blend_space_rgb: {
    severity: 'warning',
    mild: 'info',
    message: () => 'Transparency is blended in RGB. Colours around transparent objects may shift in print.',
    fix: () => 'Set the blend space of the document to CMYK, and export again.',
  },

  // pictures and SVG
  shape_differs: {
    severity: 'error',
    message: ({ found, wanted }) =>
      `The picture has other proportions than the product: ${decimal(found)} instead of ${decimal(wanted)}.`,
    fix: () => 'Crop or extend the picture to the proportions of the product with its bleed.',
  },
  pixels_too_few: {
    severity: 'error',
    mild: 'warning',
    unit: 'ppi',
    message: ({ found, wanted }) =>
      `In the size of the product the picture has ${decimal(found)} pixels per inch. ${decimal(wanted)} are needed.`,
    fix: () => 'Export the picture with more pixels from its original. Enlarging its pixels does not help.',
  },
  colour_profile_missing: {
    severity: 'info',
    message: () => 'The picture does not say what its colours mean (it has no colour profile). We took the usual one.',
    fix: () => 'Nothing if the proof is right, or save the picture with its colour profile.',
  },
  orientation_by_exif: {
    severity: 'info',
    message: () => 'The picture is stored turned, with a note which side is up. We turned it accordingly.',
    fix: () => 'Nothing if the proof is right, or save the picture turned.',
  },
  has_alpha: {
    severity: 'warning',
    message: () => 'The picture has transparent areas. They are printed white.',
    fix: () => 'Fill the background, or accept white.',
  },
  external_reference: {
    severity: 'error',
    message: (told) => `The file refers to something outside itself (${told.subject ?? 'an address'}). It is left out.`,
    fix: () => 'Embed images and fonts in the file.',
  },
  text_not_outlined: {
    severity: 'error',
    message: () => 'The file holds live text. Its font may be replaced by another.',
    fix: () => 'Turn all text into outlines (paths), and export again.',
  },
}
