import type { Mutant } from './mutant.ts'

const ledger = 'src/platform/credit/credit-ledger.test.ts'
const price = 'src/platform/pricing/price-line.test.ts'
const totals = 'src/platform/pricing/order-totals.test.ts'

const returns = 'src/staff/after-sale/returns.test.ts'
const refunds = 'src/staff/after-sale/refunds.test.ts'

export const money: readonly Mutant[] = [
  {
    says: 'the tax of a refund is rounded part by part',
    in: 'src/platform/after-sale/refund.ts',
    from: 'const taxAfter = taxOn([...refunded.parts, ...parts], charged, scale)',
    to: 'const taxAfter = refunded.tax.plus(taxOn(parts, charged, scale))',
    caughtBy: refunds,
  },
  {
    says: 'a refund forgets those before it',
    in: 'src/platform/after-sale/refund.ts',
    from: 'amount: part.amount.minus(partOf(refunded.parts, part)?.amount ?? zero),',
    to: 'amount: part.amount,',
    caughtBy: refunds,
  },
  {
    says: 'credit that an order drew is paid outside',
    in: 'src/platform/after-sale/refund.ts',
    from: 'lesser(amounts[kind], left[kind].minus(drawnOf(kind)))',
    to: 'lesser(amounts[kind], left[kind])',
    caughtBy: refunds,
  },
  {
    says: 'a cancellation pays what was refunded before once more',
    in: 'src/platform/order-money/refunded.ts',
    from: 'const contained = fall.lt(amount) ? fall : amount',
    to: 'const contained = fall.gt(amount) ? zero : fall',
    caughtBy: refunds,
  },
  {
    says: 'what an earlier return brings back does not count',
    in: 'src/platform/after-sale/returns.ts',
    from: "when goods_return.status = 'ANNOUNCED' then line.announced else",
    to: "when goods_return.status = 'ANNOUNCED' then 0 else",
    caughtBy: returns,
  },
  {
    says: 'damaged goods go back into stock',
    in: 'src/platform/after-sale/returns.ts',
    from: "condition !== 'RESALABLE' || !isCounted",
    to: '!isCounted',
    caughtBy: returns,
  },
  {
    says: 'the first change of an order does not write how it was placed',
    in: 'src/platform/order-money/order-movements.ts',
    from: 'const rows = hasMovements ? made : [placed, ...made]',
    to: 'const rows = made',
    caughtBy: refunds,
  },
  {
    says: 'a price break begins one piece too late',
    in: 'src/platform/pricing/price-line.ts',
    from: 'if (candidate.fromQuantity > quantity) continue',
    to: 'if (candidate.fromQuantity >= quantity) continue',
    caughtBy: price,
  },
  {
    says: 'the lowest discount applies instead of the best',
    in: 'src/platform/pricing/price-line.ts',
    from: 'candidate.percent.gt(chosen.percent)',
    to: 'candidate.percent.lt(chosen.percent)',
    caughtBy: price,
  },
  {
    says: "the user's discount is taken of the list price",
    in: 'src/platform/pricing/price-line.ts',
    from: 'applied(line.userDiscount, afterProductDiscount, line.currencyScale)',
    to: 'applied(line.userDiscount, lineListTotal, line.currencyScale)',
    caughtBy: price,
  },
  {
    says: 'the handling fee is charged for each piece',
    in: 'src/platform/pricing/price-line.ts',
    from: 'roundTo(line.handlingFee ?? zero, line.currencyScale)',
    to: 'roundTo((line.handlingFee ?? zero).times(line.quantity), line.currencyScale)',
    caughtBy: price,
  },
  {
    says: 'tax is taken of handling at the rate of the goods',
    in: 'src/platform/pricing/order-totals.ts',
    from: 'line.handlingTotal.times(line.handlingTaxPercent)',
    to: 'line.handlingTotal.times(line.taxPercent)',
    caughtBy: totals,
  },
  {
    says: 'the total price leaves delivery out',
    in: 'src/platform/pricing/order-totals.ts',
    from: 'lineTotals.plus(handlingTotal).plus(shippingTotal).plus(taxTotal)',
    to: 'lineTotals.plus(handlingTotal).plus(taxTotal)',
    caughtBy: totals,
  },
  {
    says: 'an exempt buyer pays tax',
    in: 'src/platform/pricing/tax.ts',
    from: 'if (!rate || free.buyerExempt)',
    to: 'if (!rate)',
    caughtBy: 'src/resources/order-submissions/charges.test.ts',
  },
  {
    says: 'untaxed handling is taxed',
    in: 'src/platform/pricing/tax.ts',
    from: 'onHandling: handlingTaxed ? levied : zero',
    to: 'onHandling: levied',
    caughtBy: 'src/resources/order-submissions/charges.test.ts',
  },
  {
    says: 'a charge that an account does not cover draws on it',
    in: 'src/platform/credit/draw-down.ts',
    from: 'if (applicable === false || drawn.lte(zero)) return',
    to: 'if (drawn.lte(zero)) return',
    caughtBy: 'src/resources/order-submissions/charges.test.ts',
  },
  {
    says: 'a charge that equals the balance is not drawn',
    in: 'src/platform/credit/draw-down.ts',
    from: 'const drawn = balance.lt(open[charge]) ? balance : open[charge]',
    to: 'const drawn = balance.lte(open[charge]) ? (balance.eq(open[charge]) ? zero : balance) : open[charge]',
    caughtBy: 'src/resources/order-submissions/charges.test.ts',
  },
  {
    says: 'terms that are not set count as no',
    in: 'src/platform/credit/draw-down.ts',
    from: 'if (applicable === false ||',
    to: 'if (applicable !== true ||',
    caughtBy: 'src/resources/order-submissions/charges.test.ts',
  },
  {
    says: 'credit returns to the account drawn on first',
    in: 'src/platform/credit/give-back.ts',
    from: 'return ofCharge.toReversed().flatMap(',
    to: 'return ofCharge.flatMap(',
    caughtBy: 'src/platform/credit/give-back.test.ts',
  },
  {
    says: 'credit that was given back is given back again',
    in: 'src/platform/credit/give-back.ts',
    from: "type ~ '^(PRODUCT|SHIPPING|HANDLING|TAX)_(DEBIT|CREDIT)$'",
    to: "type ~ '^(PRODUCT|SHIPPING|HANDLING|TAX)_DEBIT$'",
    caughtBy: 'src/resources/order-submissions/charges.test.ts',
  },
  {
    says: 'an account expires in the day after its end',
    in: 'src/platform/credit/credit-expirer.ts',
    from: 'stopsOn > change.now ||',
    to: 'stopsOn >= change.now ||',
    caughtBy: ledger,
  },
  {
    says: 'a manual debit may overdraw an account',
    in: 'src/platform/credit/move-credit.ts',
    from: "if (account.balance.plus(signed).lt(0)) return { refused: 'balance_exceeded' }",
    to: "if (account.balance.plus(signed).lt(-1)) return { refused: 'balance_exceeded' }",
    caughtBy: 'src/staff/credit/credit.test.ts',
  },
  {
    says: 'a repeated movement moves again when its amount differs',
    in: 'src/platform/credit/move-credit.ts',
    from: 'return made.type === type && signed.eq(made.amount)',
    to: 'return made.type === type',
    caughtBy: 'src/staff/credit/credit.test.ts',
  },
  {
    says: 'credit is moved without the lock of the account',
    in: 'src/platform/credit/lock-account.ts',
    from: 'for no key update of credit_account`)',
    to: '`)',
    caughtBy: ledger,
  },
]
