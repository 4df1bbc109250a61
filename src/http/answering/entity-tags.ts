import { hash } from 'node:crypto'

/**
 * ETags of JSON answers (RFC 9110 §8.8): strong, made from the text of the body, so that equal bodies have equal tags and
 * no record needs a version. The compressed forms of a body have the same tag with a suffix: they are other bytes of the
 * same revision, so a caller may send back the tag of any form.
 */

/**
 * The revision of a body. Signed links change with every read although the record does not: a body with links has the
 * revision of its record first and, after a point, its own.
 */
export function revisionOf(text: string | Buffer, links: readonly (string | null)[] = []): string {
  const signed = links.filter((link) => link !== null)
  if (signed.length === 0) return digest(text)
  // Only these very links: text that people typed may look like one. The text is gone through once, however many there are.
  const unsignedByLink = new Map(signed.map((link) => [JSON.stringify(link), JSON.stringify(unsigned(link))]))
  const record = text.toString().replaceAll(linkOrInstant, (quoted) => unsignedByLink.get(quoted) ?? quoted)
  return `${digest(record)}.${digest(text)}`
}

/** A JSON text that may be a link, or the instant at which links end. */
const linkOrInstant = /"(?:https?:|\d{4}-)[^"\\]*(?:\\.[^"\\]*)*"/g

/** What the record itself tells of a link: where it leads, but not when it was signed or expires. */
function unsigned(link: string): string {
  return link.includes('?') ? link.split('?', 1)[0]! : ''
}

/** SHA-1 is fast, and nobody gains by a collision: who could make one may change the record anyway. */
function digest(text: string | Buffer): string {
  return hash('sha1', text, 'base64url')
}

/** The part of a revision that stays the same while only links are signed anew. */
export function recordOf(revision: string): string {
  return revision.split('.', 1)[0]!
}

export function entityTag(revision: string, coding: string | undefined): string {
  return coding === undefined ? `"${revision}"` : `"${revision}-${coding}"`
}

/** `If-None-Match`, by the weak comparison. */
export function isKnown(ifNoneMatch: string, revision: string): boolean {
  return ifNoneMatch.trim() === '*' || tagsIn(ifNoneMatch).some((tag) => tag.revision === revision)
}

/** `If-Match`, by the strong comparison: whether the record is as it was when its caller read it. @param revision undefined = there is no such record */
export function isCurrent(ifMatch: string, revision: string | undefined): boolean {
  if (revision === undefined) return false
  return (
    ifMatch.trim() === '*' ||
    tagsIn(ifMatch).some((tag) => !tag.isWeak && recordOf(tag.revision) === recordOf(revision))
  )
}

function tagsIn(header: string): { isWeak: boolean; revision: string }[] {
  return [...header.matchAll(/(W\/)?"([\w.-]*)"/g)].map(([, weak, tag]) => ({
    isWeak: weak !== undefined,
    revision: tag!.replace(/-(gzip|br)$/, ''),
  }))
}
