const formats = new Map<string, Intl.NumberFormat>()

/** `12.5`, `USD` → `$12.50`. The amount stays the decimal text that the service sent; it is never made a number. */
export function moneyText(amount: string, currency: string): string {
  let format = formats.get(currency)
  if (!format) {
    format = new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    formats.set(currency, format)
  }
  return format.format(amount as Intl.StringNumericLiteral)
}

const places = 4

/** Adds amounts exactly: `12.50` and `-0.5` → `12.0000`. */
export function sumOf(amounts: readonly string[]): string {
  const sum = amounts.reduce((before, amount) => before + scaled(amount), 0n)
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, '0')
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

function scaled(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.replaceAll('-', '').split('.')
  const size = BigInt(whole + fraction.padEnd(places, '0'))
  // `--5` is the taking away of a negative amount.
  return (amount.split('-').length - 1) % 2 === 1 ? -size : size
}

/** An amount; a dash where it is not known, or not for the person. */
export function Money({
  amount,
  currency,
}: {
  amount: string | null | undefined
  currency: string | null | undefined
}) {
  if (amount === null || amount === undefined) return <span className="numbers">–</span>
  return <span className="numbers">{currency ? moneyText(amount, currency) : amount}</span>
}
