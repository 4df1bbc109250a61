/** Both are named in three words, and nothing says which is meant. */
const companyCards = ['Classic Business Card', 'Personalized Business Card']

/**
 * Searches as people type them, each with the product of the demo catalog that must come first, by its name, or with
 * several that fit equally well. `null` = the search finds nothing.
 */
export const searchQueries: readonly SearchQuery[] = [
  // the whole name, in any letter case, order, inflection and punctuation
  ['main', 'Classic Business Card', 'Classic Business Card'],
  ['main', 'classic business cards', 'Classic Business Card'],
  ['main', 'meridian logo t-shirt', 'Meridian Logo T-Shirt'],
  ['main', 'Brand Guidelines (download)', 'Brand Guidelines (download)'],
  ['main', 'custom die cut folder', 'Custom Die-Cut Folder'],
  ['main', 'company letterheads', 'Company Letterhead'],
  ['main', 'spring hoodie, eco', 'Spring Hoodie, Eco'],
  ['main', 'trade show banner', 'Trade Show Banner'],
  ['second', 'tri-fold brochure', 'Tri-Fold Brochure'],
  ['second', 'cascade ceramic mugs', 'Cascade Ceramic Mug'],

  // what it is, where many products have it in their names
  ['main', 'business card', companyCards],
  ['main', 'business cards', companyCards],
  ['main', 'card business', companyCards],
  ['main', 'personalized business card', 'Personalized Business Card'],
  ['main', 'letterhead', 'Company Letterhead'],
  ['main', 't-shirt', 'Meridian Logo T-Shirt'],
  ['main', 'mug', 'Cascade Ceramic Mug'],
  ['main', 'banners', 'Trade Show Banner'],
  ['main', 'envelope', 'Personalized Envelope'],
  ['main', 'folder', 'Custom Die-Cut Folder'],
  ['main', 'welcome kit', 'New Hire Welcome Kit'],
  ['main', 'postcard', 'Seasonal Postcard'],
  ['second', 'brochure', 'Tri-Fold Brochure'],
  ['second', 'mug', 'Cascade Ceramic Mug'],

  // some words of the name
  ['main', 'envelope personalized', 'Personalized Envelope'],
  ['main', 'event badge', 'Numbered Event Badge'],
  ['main', 'badges', 'Numbered Event Badge'],
  ['main', 'engraved', 'Engraved Award'],
  ['main', 'awards', 'Engraved Award'],
  ['main', 'franchise card', 'Franchise Welcome Card'],
  ['main', 'hire kit', 'New Hire Welcome Kit'],
  ['main', 'logo shirt', 'Meridian Logo T-Shirt'],
  ['main', 'guidelines', 'Brand Guidelines (download)'],
  ['main', 'eco spring umbrella', 'Spring Umbrella, Eco'],
  ['main', 'linen spring letterhead', 'Spring Letterhead, Linen'],
  ['main', 'reflective yard signs spring', 'Spring Yard Sign, Reflective'],
  ['foreign', 'compliment slips', 'Compliment Slip'],

  // codes, SKUs and ids
  ['main', 'BC-CLASSIC', 'Classic Business Card'],
  ['main', 'bcclassic', 'Classic Business Card'],
  ['main', 'mer tee', 'Meridian Logo T-Shirt'],
  ['main', 'MER-TEE-BLAC-LARG', 'Meridian Logo T-Shirt'],
  ['main', 'mer-tee-whit', 'Meridian Logo T-Shirt'],
  ['main', 'letterhead', 'Company Letterhead'],
  ['main', 'kit-hire', 'New Hire Welcome Kit'],
  ['main', 'SLO_100008', 'Trade Show Banner'],
  ['main', 'slo_100010', 'Company Letterhead'],
  ['main', '100002', 'Classic Business Card'],
  ['main', 'SLS_100006', 'Cascade Ceramic Mug'],
  ['main', 'BC-0001', ['Spring Business Card, Matte', 'Recruiting Business Card, Matte']],
  ['second', 'CAS-MUG-NAVY', 'Cascade Ceramic Mug'],

  // choices of variants, keywords and descriptions
  ['main', 'black medium logo shirt', 'Meridian Logo T-Shirt'],
  ['main', 'meridian gray', 'Meridian Logo T-Shirt'],
  ['main', 'cascade navy', 'Cascade Ceramic Mug'],
  ['main', 'ring-spun cotton', 'Meridian Logo T-Shirt'],
  ['main', 'dishwasher safe', 'Cascade Ceramic Mug'],
  ['main', 'return address', 'Personalized Envelope'],
  ['main', 'fifty sheets', 'Personalized Notepad'],
  ['main', 'quoted by hand', 'Custom Die-Cut Folder'],
  ['second', 'drinkware', 'Cascade Ceramic Mug'],

  // joined and split words
  ['main', 'notepad', 'Personalized Notepad'],
  ['main', 'note pad', 'Personalized Notepad'],
  ['main', 'personalized note pads', 'Personalized Notepad'],
  ['main', 'letter head', 'Company Letterhead'],
  ['main', 'tshirt', 'Meridian Logo T-Shirt'],
  ['main', 'tshirts meridian', 'Meridian Logo T-Shirt'],
  ['main', 'diecut folder', 'Custom Die-Cut Folder'],
  ['main', 'doorhanger spring gloss', 'Spring Door Hanger, Gloss'],
  ['main', 'post card seasonal', 'Seasonal Postcard'],
  ['second', 'trifold brochure', 'Tri-Fold Brochure'],

  // a mistyped word
  ['main', 'buisness card', companyCards],
  ['main', 'bussiness cards', companyCards],
  ['main', 'personlized envelope', 'Personalized Envelope'],
  ['main', 'meridain shirt', 'Meridian Logo T-Shirt'],
  ['main', 'trade show bannre', 'Trade Show Banner'],
  ['main', 'enveloppe', 'Personalized Envelope'],
  ['main', 'guidlines', 'Brand Guidelines (download)'],
  ['main', 'leterhead', 'Company Letterhead'],
  ['second', 'cermaic mug', 'Cascade Ceramic Mug'],
  ['foreign', 'umbrela albion', 'Albion Umbrella'],

  // what the shop does not have
  ['main', 'dog', null],
  ['main', 'cat', null],
  ['main', 'door mat', null],
  ['main', 'fog', null],
  ['main', 'xylophone', null],
  ['second', 'albion umbrella', null],
]

/** `q`, searched on one of the demo sites */
export type SearchQuery = readonly [site: 'main' | 'second' | 'foreign', q: string, first: Expected]

type Expected = string | readonly string[] | null

/** How many of the best products are looked through for the expected one. */
const depth = 20

export type Judged = {
  site: SearchQuery[0]
  q: string
  first: Expected
  /** the names found, the best first */
  found: string[]
  /** where the expected product stands, from 1, or 1 where nothing is found as expected; undefined = not found */
  place: number | undefined
}

/** @param search the names of the products that a search finds, the best first */
export async function judged(
  search: (site: SearchQuery[0], q: string, limit: number) => Promise<string[]>,
): Promise<{ each: Judged[]; meanReciprocalRank: number }> {
  const each: Judged[] = []
  for (const [site, q, first] of searchQueries) {
    const found = await search(site, q, depth)
    const fitting = typeof first === 'string' ? [first] : first
    const index = fitting ? found.findIndex((name) => fitting.includes(name)) : found.length === 0 ? 0 : -1
    each.push({ site, q, first, found, place: index === -1 ? undefined : index + 1 })
  }
  const sum = each.reduce((total, { place }) => total + (place === undefined ? 0 : 1 / place), 0)
  return { each, meanReciprocalRank: sum / each.length }
}
