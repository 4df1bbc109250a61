import { artworkProfiles } from '../artwork-profiles.ts'
import { brands, type Brand, type BrandKey } from './brands.ts'
import type { Design, Picture } from './canvas.ts'
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
  draw: (format: Format, brand: Brand, picture: Picture) => Design
  /** how wide its picture must be */
  picturePixels: number
}

type PlainSpecimen = { title: string; draw: (format: Format, brand: Brand) => Design; picturePixels?: never }

const plain = (title: string, draw: PlainSpecimen['draw']): PlainSpecimen => ({ title, draw })

const specimens: Readonly<Record<SpecimenKind, Specimen | PlainSpecimen>> = {
  card: plain('Business card', businessCard),
  postcard: { title: 'Postcard', draw: postcard, picturePixels: 1_420 },
  greetingCard: { title: 'Greeting card', draw: greetingCard, picturePixels: 1_550 },
  flyer: {
    title: 'Flyer',
    draw: (format, brand, picture) => {
      const front = upright(format, brand, picture, ['Doors open', 'on Saturday'])
      return { ...front, pages: [...front.pages, wordsBehind(format, brand)] }
    },
    picturePixels: 1_700,
  },
  brochure: { title: 'Brochure', draw: brochure, picturePixels: 2_450 },
  trifold: { title: 'Tri-fold brochure', draw: triFold, picturePixels: 1_850 },
  letterhead: plain('Letterhead', letterhead),
  complimentSlip: plain('Compliment slip', slip),
  envelope: plain('Envelope', envelope),
  notepad: plain('Notepad', notepad),
  folder: plain('Presentation folder', folder),
  stickers: plain('Sticker sheet', stickers),
  doorHanger: { title: 'Door hanger', draw: doorHanger, picturePixels: 1_400 },
  tableTent: { title: 'Table tent', draw: tableTent, picturePixels: 1_280 },
  calendar: { title: 'Wall calendar', draw: calendar, picturePixels: 2_600 },
  badge: plain('Event badge', badge),
  poster: {
    title: 'Poster',
    draw: (format, brand, picture) => upright(format, brand, picture, ['Come and', 'see for yourself']),
    picturePixels: 3_200,
  },
  banner: {
    title: 'Banner',
    draw: (format, brand, picture) => lengthwise(format, brand, picture, ['We are', 'open']),
    picturePixels: 4_600,
  },
  retractableBanner: {
    title: 'Retractable banner',
    draw: (format, brand, picture) => upright(format, brand, picture, ['Let us', 'show you']),
    picturePixels: 4_900,
  },
  yardSign: {
    title: 'Yard sign',
    draw: (format, brand, picture) => lengthwise(format, brand, picture, ['This way', 'to the', 'open house']),
    picturePixels: 2_100,
  },
  windowDecal: plain('Window decal', decal),
  wallSign: {
    title: 'Wall sign',
    draw: (format, brand, picture) => lengthwise(format, brand, picture, ['Good to', 'see you']),
    picturePixels: 2_900,
  },
  mug: plain('Mug wrap', mugWrap),
  award: plain('Award', plate),
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
export async function specimen(kind: SpecimenKind, brand: BrandKey): Promise<Design> {
  const found = specimens[kind]
  const format = formatOf(kind)
  if (found.picturePixels === undefined) return found.draw(format, brands[brand])
  return found.draw(format, brands[brand], await pictureOf(brand, found.picturePixels))
}
