import type { TemplateValues, TemplateVendor } from '../../outside/template-vendor/template-vendor.ts'

/**
 * A vendor for the time in which one order is placed. It asks once for each document, and once whether the same values
 * fit, however many lines are alike and however often the order is planned.
 */
export function askOnce(vendor: TemplateVendor): TemplateVendor {
  const documents = new Map<string, ReturnType<TemplateVendor['document']>>()
  const checks = new Map<string, ReturnType<TemplateVendor['check']>>()
  return {
    ...vendor,
    document: (templateId) => documents.getOrInsertComputed(templateId, () => vendor.document(templateId)),
    check: (templateId, values) =>
      checks.getOrInsertComputed(fillingKey(templateId, values), () => vendor.check(templateId, values)),
  }
}

/** Equal for what is printed the same. Stored orders have their keys in one order. */
export function fillingKey(templateId: string, values: TemplateValues): string {
  return JSON.stringify([templateId, values])
}
