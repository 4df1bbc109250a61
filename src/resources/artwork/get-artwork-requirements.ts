import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { requirementSentences } from '../../platform/artwork/requirement-sentences.ts'
import { storedTemplate } from '../../platform/artwork/template-pdf.ts'
import { hasPublishedId } from '../../platform/catalog/published-id.ts'
import { usableTemplateId } from '../../platform/catalog/template.ts'
import { linkToObject } from '../../platform/files/link-to-object.ts'
import type { ArtworkProfile } from '../../vocabulary/artwork.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import { Outage } from '../../vocabulary/outage.ts'
import type { ArtworkSource, ArtworkType } from '../../vocabulary/product-kinds.ts'
import type { artworkChecks } from './checks-contract.ts'

type Row = {
  productId: string
  types: ArtworkType[]
  profile: ArtworkProfile
  artworkSource: ArtworkSource
  templateVendor: string | null
  templateId: string | null
  digitalDelivery: boolean
}

/** A share has its master's rules. */
export function getArtworkRequirements(
  database: Database,
  objectStore: ObjectStore,
  realClock: Clock,
): Handler<typeof artworkChecks.getArtworkRequirements> {
  async function templateUrl(profile: ArtworkProfile): Promise<string | null> {
    try {
      const template = await storedTemplate(objectStore, profile)
      const answer = { contentType: 'application/pdf', downloadName: 'template.pdf' }
      return template && (await linkToObject(objectStore, template, realClock(), answer))
    } catch (error) {
      if (error instanceof Outage) return null
      throw error
    }
  }

  return async ({ siteIds, path, refuse }) => {
    // Served by product's primary key.
    const product = await database.reads.row<Row>(sql`
      select product.kind || '_' || product.product_number as product_id, source.artwork_types as types,
        source.artwork_profile as profile, source.artwork_source, source.template_vendor,
        source.template_id, source.digital_delivery
      from product
      join product source on source.product_number = coalesce(product.master_number, product.product_number)
      where ${hasPublishedId(path.productId)} and product.site_id = any(${siteIds}::int[])`)
    if (!product) throw refuse('product_not_found')
    const { productId, types, profile, digitalDelivery } = product
    const url = await templateUrl(profile)
    // Without a usable template nothing makes the file.
    const isUnmade = product.artworkSource === 'TEMPLATE' && usableTemplateId(product) === null
    const artworkSource = isUnmade ? 'UNKNOWN' : product.artworkSource
    const sentences = requirementSentences(profile, { types, artworkSource, digitalDelivery })
    return { status: 200, body: { productId, types, sentences, profile, templateUrl: url }, links: [url] }
  }
}
