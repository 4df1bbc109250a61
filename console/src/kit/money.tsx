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
