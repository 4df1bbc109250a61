import type { VendorStock } from '../outside/template-vendor/embedded-vendor.ts'
import type { Design } from '../outside/template-vendor/design/design.ts'
import { cmykJpeg, pictureOf } from './specimens/pictures.ts'
import { companyCard, storeCard } from './templates/business-cards.ts'
import { calendar, greetingCard, poster, stickers, tableTent } from './templates/displays.ts'
import { brochure, doorHanger, flyer, photographs, postcard, type Photograph } from './templates/mailings.ts'
import { envelope, folder, letterhead, notepad } from './templates/stationery.ts'

/** The documents the demo data's templated products are made from. */
const documents: ReadonlyMap<string, Design> = new Map(
  Object.entries({
    'business-card-standard': companyCard,
    // by the codes of the crowd's printed families
    'bc-standard': storeCard,
    'pc-standard': postcard,
    'br-standard': brochure,
    'fl-standard': flyer,
    'lh-standard': letterhead,
    'en-standard': envelope,
    'pf-standard': folder,
    'st-standard': stickers,
    'np-standard': notepad,
    'gc-standard': greetingCard,
    'dh-standard': doorHanger,
    'tt-standard': tableTent,
    'cl-standard': calendar,
    'po-standard': poster,
  }),
)

/** All that the embedded template vendor has. */
export const templateStock: VendorStock = {
  documents,
  pictureOf: (name) => cmykJpeg(pictureOf(photographs[name as Photograph], 1_500)),
  outputIntent: { identifier: 'CGATS TR 001', info: 'Web offset on coated paper (SWOP)' },
}
