import type { Queries } from '../../database/database.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { smallObject } from '../files/small-object.ts'
import { readBrandFor } from '../sites/brand.ts'
import type { Sender } from './look/letter.ts'

/**
 * Whose mail it is: that of the partner whose order it is about, as far as it has a brand of its own, else the site's; the
 * service's if it is about no site.
 */
export async function readSender(
  { reads, objectStore }: { reads: Queries; objectStore: Pick<ObjectStore, 'read'> },
  { siteId, partnerId }: { siteId: number | null; partnerId: string | null },
  isSandbox: boolean,
): Promise<Sender> {
  if (siteId === null) return { ...ofService, isSandbox }
  const { name, color, textColor, logoKey, supportEmail, siteUrl } = await readBrandFor(reads, { siteId, partnerId })
  const logo = logoKey === null ? undefined : await smallObject(objectStore, logoKey)
  return {
    name,
    color,
    textColor,
    logo: logo ? { cid: 'logo', fileName: 'logo.png', contentType: 'image/png', content: logo } : null,
    supportEmail,
    siteUrl,
    isSandbox,
  }
}

/** As on the pages where people sign in. */
const ofService = {
  name: 'Partner Commerce',
  color: '#0b5cad',
  textColor: '#ffffff',
  logo: null,
  supportEmail: null,
  siteUrl: null,
} as const
