import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { drawPage } from '../../src/demo/specimens/page-picture.ts'
import { card, faultyCards, fittingCard } from '../../src/demo/specimens/faulty-cards.ts'
import type { Body, Visitor } from './partner.ts'
import { eventually, expect, step } from './step.ts'

/** A card that cannot be printed, what is wrong with it, and the mended one. @param line the path of the order's line */
export async function sendArtwork({ ok, docs }: Visitor, line: string): Promise<void> {
  const upload = async (fileName: string, bytes: Buffer): Promise<Body> => {
    const reserved = await ok('POST', `${line}/artwork/upload-url`, { fileName, contentType: 'application/pdf' })
    const put = await fetch(reserved.uploadUrl, {
      method: reserved.uploadMethod,
      headers: { 'content-type': reserved.contentType },
      body: new Uint8Array(bytes),
    })
    expect(put.ok, `the upload answers ${put.status}`)
    const file = await ok('POST', `${line}/artwork`, { reservationName: reserved.reservationName })
    const md5 = createHash('md5').update(bytes).digest('hex')
    expect(file.md5 === md5, `the store has ${file.md5}, sent was ${md5}`)
    return file
  }
  /** What inspection says of the newest file. */
  const inspected = async (): Promise<Body> => {
    let inspection: Body
    await eventually(
      async () => {
        inspection = (await ok('GET', `${line}/artwork`)).files.at(-1).inspection
        return inspection.inspectedOn !== null
      },
      () => `the file is still ${inspection.status}`,
    )
    return inspection
  }

  await step('uploads a card with a fault, straight to the store', docs('reserveArtworkUpload'), async () => {
    const file = await upload('cards.pdf', await faultyCards['low-resolution-image'].print())
    return [file, `${file.fileName}, ${file.fileSize} bytes, md5 as sent`]
  })
  await step('reads what is wrong with it, and where', docs('getArtwork'), async () => {
    const { status, findings } = await inspected()
    const [finding] = findings
    expect(status === 'needs_changes', `the card with a fault is ${status}`)
    expect(finding.code === 'image_resolution_low', `its first finding is ${finding.code}`)
    expect(finding.page === 1 && finding.box !== null, 'the finding does not say where')
    const box = finding.box.map((points: number) => Math.round(points)).join(', ')
    return [
      finding,
      `${status}\n  ${finding.code}, page ${finding.page}, box ${box}: ${finding.message} ${finding.fix}`,
    ]
  })
  await step('uploads the mended card, and sees it pass', docs('attachArtwork'), async () => {
    await upload('cards-mended.pdf', await fittingCard())
    const { status, pages } = await inspected()
    expect(status === 'passed', `the mended card is ${status}`)
    const preview = await fetch(pages[0].previews[0].url)
    expect(preview.ok, `the preview answers ${preview.status}`)
    return [pages, `${status}, ${pages.length} pages`]
  })
}

/** How many of the places that are compared may differ: letters and edges are smoothed otherwise. */
const differentMax = 0.05

/** The share of places at which a picture has the colors of the mended card's front. */
export async function likenessToCard(picture: Uint8Array): Promise<number> {
  const [shown, sent] = await Promise.all([picture, await drawPage(card, 0, 'trim', 1_200)].map(small))
  const places = sent!.length / 3
  let alike = 0
  for (let place = 0; place < places; place++) {
    const apart = [0, 1, 2].map((part) => Math.abs(shown![place * 3 + part]! - sent![place * 3 + part]!))
    if (Math.max(...apart) < 48) alike += 1
  }
  expect(alike / places > 1 - differentMax, `only ${alike} of ${places} places of the picture look like the card`)
  return alike / places
}

function small(picture: Uint8Array): Promise<Buffer> {
  return sharp(picture).resize(84, 48, { fit: 'fill' }).toColourspace('srgb').removeAlpha().raw().toBuffer()
}
