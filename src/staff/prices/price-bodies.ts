import { Type } from 'typebox'
import { lineQuantityMax } from '../../platform/catalog/quantity-rules.ts'

/** A price break as staff send it. */
export const priceBreak = {
  fromQuantity: Type.Integer({ minimum: 1, maximum: lineQuantityMax }),
  unitPrice: Type.String({ maxLength: 20, description: 'of one piece, with up to six decimals' }),
}

export const pricesNotUsable = [422, 'A price break is not usable.'] as const
