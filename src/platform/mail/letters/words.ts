/** How mails write amounts, days and addresses. */

/** @param amount a decimal string */
export function amountText(amount: string, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount as Intl.StringNumericLiteral)
}

/** `24 November 2026`, as people of a place count days. */
export function dayText(instant: string | Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(new Date(instant))
}

/** `24 November 2026 at 15:30 UTC` */
export function instantText(instant: string | Date): string {
  return `${dayText(instant, 'UTC')} at ${new Date(instant).toISOString().slice(11, 16)} UTC`
}

export function greeting(firstName: string | null): string {
  return firstName === null || firstName.trim() === '' ? 'Hello,' : `Hello ${firstName},`
}
