/**
 * Text that others wrote, made safe to print. Control characters could move the cursor, recolour the screen, set the
 * window's title or fill the clipboard; marks of direction could show one name as another (Trojan Source). They are shown
 * as their code points instead.
 */

/** Controls (C0, DEL, C1), marks and overrides of direction, line separators, invisible and tag characters; not the joiners that scripts and emoji need. */
const harmful =
  /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu

/** One line of text in which every harmful character is written as `\u{…}`, except that white space becomes a space. */
export function safeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\t\n\r]+/g, ' ')
    .replace(harmful, (found) => `\\u{${found.codePointAt(0)!.toString(16)}}`)
}

/** The same JSON, in which every harmful character that JSON lets stand as it is has its escape. */
export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent)
  return text.replace(harmful, (found) =>
    found === '\n'
      ? found
      : Array.from({ length: found.length }, (_, index) => escaped(found.charCodeAt(index))).join(''),
  )
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
