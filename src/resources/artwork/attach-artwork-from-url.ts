import type { Handler } from '../../contract/operation.ts'
import { Refusal } from '../../contract/refusal.ts'
import type { Database } from '../../database/database.ts'
import { fetchFault, fileNameIn, storeDownload, type ArtworkSource } from '../../platform/ordering/fetch-artwork.ts'
import { uploadKey } from '../../platform/files/presign-upload.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import { attachArtwork } from './attach-artwork.ts'
import type { artworkTools } from './contract.ts'
import { reserveArtworkUpload } from './reserve-artwork-upload.ts'

/**
 * What a partner does with three calls: reserves an upload, stores the bytes and attaches them, with the refusals of
 * both calls. The file is fetched as the `artworkUrl` of an order line is. After a failed download the reservation
 * stays unused, and what was stored is forgotten with it.
 */
export function attachArtworkFromUrl(
  database: Database,
  source: ArtworkSource,
  realClock: Clock,
): Handler<typeof artworkTools.attachArtworkFromUrl> {
  const reserve = reserveArtworkUpload(database, source.objectStore, realClock)
  const attach = attachArtwork(database, source.objectStore)
  return async ({ refuse, ...call }) => {
    const { artworkUrl } = call.body
    const fileName = fileNameIn(artworkUrl)
    const { reservationName } = (await reserve({ ...call, body: { fileName }, refuse: refusal })).body
    try {
      await storeDownload(source, artworkUrl, uploadKey(reservationName, fileName))
    } catch (error) {
      throw refuse('invalid_request', `The field artworkUrl leads to no artwork. ${fetchFault(error)}`)
    }
    return attach({ ...call, body: { reservationName }, refuse: refusal })
  }
}

/** The codes that the two calls may refuse with are among those of this one. */
function refusal<Code extends string>(code: Code, detail?: string, headers?: Readonly<Record<string, string>>) {
  return new Refusal(code, detail, headers)
}
