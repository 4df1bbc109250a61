import type { Environment } from '../../vocabulary/environment.ts'
import { isUuid } from '../../vocabulary/text.ts'
import { foldedWords } from './fold.ts'

/** A text, read in every way in which it can be meant. */
export type Asked = {
  text: string
  uuid: string | undefined
  /** an id, or the beginning of an order number */
  number: number | undefined
  /** the number that follows it, as that of the line in `1010033-2` */
  part: number | undefined
  /** what the number is called, such as `order`; empty = it stands alone */
  called: string
  words: readonly string[]
  /** hits of each finder */
  limit: number
}

/** As it was typed and, where that is something else, in plain letters, digits and hyphens. */
export function readingsOf(text: string, environment: Environment, limit: number): Asked[] {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}+/gu, '')
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .trim()
  return (plain === text || plain === '' ? [text] : [text, plain]).map((each) => ({
    text: each,
    uuid: readUuid(each),
    words: foldedWords(each),
    limit,
    ...(readAddress(each, environment) ?? readNumber(each)),
  }))
}

/** A word or some that say what is numbered, such as `Order`, `Job ticket` or `RMA-`. */
const calling = String.raw`([a-z][a-z -]{0,40}?)(?: ?(?:number|no|nr|id))?[ :.#"=_-]{0,4}|#`
const numberForm = new RegExp(String.raw`^"?(?:${calling})?([1-9]\d{0,11})(?:[-/]([1-9]\d{0,8}))?(?:\.pdf)?$`, 'i')
const uuidForm = new RegExp(String.raw`^"?(?:${calling})?([0-9a-f]{8}-[0-9a-f-]{27})"?$`, 'i')

type Numbered = Pick<Asked, 'number' | 'part' | 'called'>

function readNumber(text: string): Numbered {
  const [, called = '', number, part] = numberForm.exec(text) ?? []
  return {
    number: number === undefined ? undefined : Number(number),
    part: part === undefined ? undefined : Number(part),
    called: called.toLowerCase().replaceAll('-', ' '),
  }
}

function readUuid(text: string): string | undefined {
  const uuid = isUuid(text) ? text : uuidForm.exec(text)?.[2]
  return uuid !== undefined && isUuid(uuid) ? uuid.toLowerCase() : undefined
}

/** What the code of a job ticket says: the address of its line in the console. */
function readAddress(text: string, environment: Environment): (Numbered & { words: readonly string[] }) | undefined {
  const found = /^https?:\/\/[^/\s]+\/(\w+)\/orders\/([1-9]\d{0,11})(?:\/lines\/([1-9]\d{0,8}))?$/i.exec(text)
  if (!found) return undefined
  const [, place, number, part] = found
  const isHere = place!.toUpperCase() === environment
  return {
    number: isHere ? Number(number) : undefined,
    part: part === undefined ? undefined : Number(part),
    called: 'order',
    words: [],
  }
}
