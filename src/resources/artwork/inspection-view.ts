import type { Static } from 'typebox'
import { type artworkFindings, type artworkPages, findingsMax } from '../../contract/artwork.ts'
import type { Picture as AgentPicture } from '../../contract/operation.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { Inspection, Picture } from '../../platform/artwork/read-artwork.ts'
import { linkLifetimeSeconds, linkToObject } from '../../platform/files/link-to-object.ts'
import { smallObject } from '../../platform/files/small-object.ts'
import { previewSizes, type PreviewSize } from '../../vocabulary/artwork.ts'
import type { Clock } from '../../vocabulary/clock.ts'

/** What was found in a file, as partners see it. A waived finding is shown as info. */
export type ShownFindings = {
  findings: Static<typeof artworkFindings>
  pages: Static<typeof artworkPages>
}

type Found = Pick<Inspection, 'findings' | 'pages'>

const sizes = Object.keys(previewSizes) as PreviewSize[]

export function inspectionShower(objectStore: ObjectStore, realClock: Clock) {
  async function preview({ kind, objectKey, width, height }: Picture, now: Date) {
    const url = await linkToObject(objectStore, objectKey, now, { contentType: 'image/png' })
    const expiresOn = url && new Date(now.getTime() + linkLifetimeSeconds * 1_000).toISOString()
    return { size: kind as PreviewSize, url, width, height, expiresOn }
  }

  return {
    show: async ({ findings, pages }: Found): Promise<ShownFindings> => {
      const now = realClock()
      return {
        findings: findings
          .slice(0, findingsMax)
          .map(({ waiver, ...finding }) => (waiver ? { ...finding, severity: 'info' } : finding)),
        pages: await Promise.all(
          pages.map(async ({ pictures, ...page }) => ({
            ...page,
            previews: await Promise.all(
              sizes.flatMap((size) => pictures.filter(({ kind }) => kind === size)).map((each) => preview(each, now)),
            ),
          })),
        ),
      }
    },

    /** The first page in the medium size. */
    picture: ({ pages }: Pick<Found, 'pages'>): AgentPicture => {
      const first = pages[0]?.pictures.find(({ kind }) => kind === 'medium')
      return async () => {
        if (!first) return undefined
        const bytes = await smallObject(objectStore, first.objectKey)
        return bytes && { mediaType: 'image/png', bytes }
      }
    },
  }
}

/** The signed links of an inspection. */
export function linksOf({ pages }: Pick<ShownFindings, 'pages'>): (string | null)[] {
  return pages.flatMap(({ previews }) => previews.map(({ url }) => url))
}
