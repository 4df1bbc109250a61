import type { ProductId } from '../../vocabulary/product-id.ts'
import type { Visibility } from '../../vocabulary/product-kinds.ts'
import type { FieldProblem } from './product-definition.ts'
import { lineQuantityMax } from './quantity-rules.ts'

/**
 * What a site decides about its products: who sees them, how many may be ordered, and the texts they are shown with. A
 * share has texts of its own only while it overrides its master's.
 */

export type DisplayTexts = { description: string | null; metaDescription: string | null; metaKeywords: string | null }

/** What partners may change. They can change limits; only staff can remove them. */
export type ProductSettings = DisplayTexts & {
  visibility: Visibility
  requiresApproval: boolean
  /** shares only */
  overrideDisplay: boolean
  minQuantity: number | null
  maxQuantity: number | null
}

/** The settings as a product's row holds them: null `overrideDisplay` = a product the site owns. */
export type StoredSettings = Omit<ProductSettings, 'overrideDisplay'> & {
  overrideDisplay: boolean | null
  /** set by staff alone */
  active: boolean
}

/** Every setting, with its default on a new product that a site owns. */
export const startingSettings: StoredSettings = {
  visibility: 'PUBLIC',
  requiresApproval: false,
  overrideDisplay: null,
  minQuantity: null,
  maxQuantity: null,
  description: null,
  metaDescription: null,
  metaKeywords: null,
  active: true,
}

export const displayTexts = ['description', 'metaDescription', 'metaKeywords'] as const

const textLengthsMax = { description: 20_000, metaDescription: 2000, metaKeywords: 2000 }
/** A maximum above every order means none: partners cannot clear theirs. */
export const quantityLimitsMax = { minQuantity: lineQuantityMax, maxQuantity: 2_147_483_647 }

/** The first fault of the settings, apart from limits that cross. */
export function settingsProblem(settings: StoredSettings): FieldProblem | undefined {
  for (const field of displayTexts) {
    if (Array.from(settings[field] ?? '').length > textLengthsMax[field]) {
      return { field, detail: `The field ${field} must have at most ${textLengthsMax[field]} characters.` }
    }
  }
  for (const field of ['minQuantity', 'maxQuantity'] as const) {
    const limit = settings[field] ?? 1
    if (!Number.isInteger(limit) || limit < 1 || limit > quantityLimitsMax[field]) {
      return { field, detail: `The field ${field} must be from 1 to ${quantityLimitsMax[field]}.` }
    }
  }
  return undefined
}

export function limitsCross({ minQuantity, maxQuantity }: StoredSettings): boolean {
  return minQuantity !== null && maxQuantity !== null && maxQuantity < minQuantity
}

/** Why a change is impossible for every product of a kind. */
export type SettingsChangeProblem =
  | { problem: 'override_without_master' }
  /** a share shows either its master's texts or its own, which cannot be null */
  | { problem: 'null_on_share' | 'text_beside_inheritance'; field: keyof DisplayTexts }

/** The fault of a change that follows from the product's kind alone, whether or not the product exists. */
export function settingsChangeProblem(
  kind: ProductId['kind'],
  wish: Partial<ProductSettings>,
): SettingsChangeProblem | undefined {
  if (kind === 'SLO') return wish.overrideDisplay === undefined ? undefined : { problem: 'override_without_master' }
  const emptied = displayTexts.find((field) => wish[field] === null)
  if (emptied) return { problem: 'null_on_share', field: emptied }
  const told = displayTexts.find((field) => wish[field] !== undefined)
  return told && wish.overrideDisplay === false ? { problem: 'text_beside_inheritance', field: told } : undefined
}

type ShareTexts = DisplayTexts & { overrideDisplay: boolean | null }

/**
 * A share's own texts after a change. A share that gets a text starts to override, and its other texts are copied from
 * its master, so that no visible text is lost. A share that is set to inherit again loses its own texts (CAT-27).
 */
export function textsOfShare(
  mastersTexts: DisplayTexts,
  before: ShareTexts,
  wish: Partial<ProductSettings>,
): DisplayTexts & { overrideDisplay: boolean } {
  const isGivenText = displayTexts.some((field) => wish[field] !== undefined)
  const overrideDisplay = wish.overrideDisplay ?? (isGivenText || before.overrideDisplay === true)
  if (!overrideDisplay) return { overrideDisplay, description: null, metaDescription: null, metaKeywords: null }
  const shown = before.overrideDisplay ? before : mastersTexts
  const textOf = (field: keyof DisplayTexts): string | null => wish[field] ?? shown[field]
  return {
    overrideDisplay,
    description: textOf('description'),
    metaDescription: textOf('metaDescription'),
    metaKeywords: textOf('metaKeywords'),
  }
}
