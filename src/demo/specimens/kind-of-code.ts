import type { SpecimenKind } from './specimens.ts'

/** What is printed for a product of the demo shops, by its code. */
const families: Readonly<Record<string, SpecimenKind>> = {
  BC: 'card',
  PC: 'postcard',
  VB: 'banner',
  BR: 'trifold',
  FL: 'flyer',
  YS: 'yardSign',
  LH: 'letterhead',
  EN: 'envelope',
  RB: 'retractableBanner',
  PF: 'folder',
  ST: 'stickers',
  NP: 'notepad',
  WD: 'windowDecal',
  GC: 'greetingCard',
  DH: 'doorHanger',
  WS: 'wallSign',
  TT: 'tableTent',
  CL: 'calendar',
  PO: 'poster',
}

const castCodes: Readonly<Record<string, SpecimenKind>> = {
  'BC-CLASSIC': 'card',
  'BC-PERSONAL': 'card',
  'ENV-PERSONAL': 'envelope',
  'NOTE-PERSONAL': 'notepad',
  'FOLDER-CUSTOM': 'folder',
  'BANNER-TS': 'banner',
  'BADGE-NUM': 'badge',
  LETTERHEAD: 'letterhead',
  'AWARD-ENG': 'award',
  'CARD-FRANCHISE': 'card',
  'POSTCARD-OLD': 'postcard',
  'BROCHURE-OLD': 'brochure',
  'POSTCARD-SEASON': 'postcard',
  'BROCHURE-TRI': 'trifold',
  'COMP-SLIP': 'complimentSlip',
  'PRA-CARD': 'card',
  'SUM-CARD': 'card',
}

/** @returns undefined for goods that nothing is printed for */
export function kindOfCode(productCode: string): SpecimenKind | undefined {
  return castCodes[productCode] ?? families[/^([A-Z]{2})-\d{4}$/.exec(productCode)?.[1] ?? '']
}
