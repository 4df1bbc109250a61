import { artworkProfiles } from '../artwork-profiles.ts'
import { brands, type Brand, type BrandKey } from './brands.ts'
import type { Design } from './canvas.ts'
import { brochure, calendar } from './designs/bound.ts'
import { businessCard } from './designs/business-card.ts'
import {
  badge,
  decal,
  envelope,
  lengthwise,
  letterhead,
  notepad,
  plate,
  postcard,
  slip,
  stickers,
  upright,
  wordsBehind,
} from './designs/flat-sheets.ts'
import { doorHanger, folder, greetingCard, tableTent, triFold } from './designs/folded-sheets.ts'
import type { Format } from './designs/layout.ts'
import { mugWrap } from './designs/mug-wrap.ts'
import { pictureOf } from './pictures.ts'

/** Artwork for each kind of product that the demo shops print, ready to print: named as the rules it keeps. */
export type SpecimenKind = keyof typeof artworkProfiles | 'award'

type Specimen = {
  title: string
  draw: (format: Format, brand: Brand) => Design
  /** how wide its picture must be, where it has one */
  picturePixels?: number
}

const specimens: Readonly<Record<SpecimenKind, Specimen>> = {
  card: { title: 'Business card', draw: businessCard },
  postcard: { title: 'Postcard', draw: postcard, picturePixels: 1_420 },
  greetingCard: { title: 'Greeting card', draw: greetingCard, picturePixels: 1_550 },
  flyer: {
    title: 'Flyer',
    draw: (format, brand) => {
      const front = upright(format, brand, ['Doors open', 'on Saturday'])
      return { ...front, pages: [...front.pages, wordsBehind(format, brand)] }
    },
    picturePixels: 1_700,
  },
  brochure: { title: 'Brochure', draw: brochure, picturePixels: 2_450 },
  trifold: { title: 'Tri-fold brochure', draw: triFold, picturePixels: 1_850 },
  letterhead: { title: 'Letterhead', draw: letterhead },
  complimentSlip: { title: 'Compliment slip', draw: slip },
  envelope: { title: 'Envelope', draw: envelope },
  notepad: { title: 'Notepad', draw: notepad },
  folder: { title: 'Presentation folder', draw: folder },
  stickers: { title: 'Sticker sheet', draw: stickers },
  doorHanger: { title: 'Door hanger', draw: doorHanger, picturePixels: 1_400 },
  tableTent: { title: 'Table tent', draw: tableTent, picturePixels: 1_280 },
  calendar: { title: 'Wall calendar', draw: calendar, picturePixels: 2_600 },
  badge: { title: 'Event badge', draw: badge },
  poster: {
    title: 'Poster',
    draw: (format, brand) => upright(format, brand, ['Come and', 'see for yourself']),
    picturePixels: 3_200,
  },
  banner: {
    title: 'Banner',
    draw: (format, brand) => lengthwise(format, brand, ['We are', 'open']),
    picturePixels: 4_600,
  },
  retractableBanner: {
    title: 'Retractable banner',
    draw: (format, brand) => upright(format, brand, ['Let us', 'show you']),
    picturePixels: 4_900,
  },
  yardSign: {
    title: 'Yard sign',
    draw: (format, brand) => lengthwise(format, brand, ['This way', 'to the', 'open house']),
    picturePixels: 2_100,
  },
  windowDecal: { title: 'Window decal', draw: decal },
  wallSign: {
    title: 'Wall sign',
    draw: (format, brand) => lengthwise(format, brand, ['Good to', 'see you']),
    picturePixels: 2_900,
  },
  mug: { title: 'Mug wrap', draw: mugWrap },
  award: { title: 'Award', draw: plate },
}

/** The plate of an award; staff settle its size with whoever gives it. */
const engraved: Format = { title: 'Award', width: 432, height: 288, bleed: 0, safe: 18 }

/** The sheet of a product, by its rules. */
export function formatOf(kind: SpecimenKind): Format {
  if (kind === 'award') return engraved
  const { trimWidth, trimHeight, bleed, safe } = artworkProfiles[kind]
  return { title: specimens[kind].title, width: trimWidth!, height: trimHeight!, bleed: bleed!, safe: safe! }
}

/** The artwork of a brand for a kind of product. */
export function specimen(kind: SpecimenKind, brand: BrandKey): Design {
  const { draw, picturePixels } = specimens[kind]
  const design = draw(formatOf(kind), brands[brand])
  return picturePixels === undefined ? design : { ...design, picture: pictureOf(brand, picturePixels) }
}

/** What customers have printed in the demo data: each kind of product for one of the brands. */
export function customersDesign(kind: SpecimenKind): Design {
  const customers = Object.keys(brands) as BrandKey[]
  return specimen(kind, customers[Object.keys(specimens).indexOf(kind) % customers.length]!)
}
