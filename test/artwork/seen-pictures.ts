import assert from 'node:assert/strict'
import sharp from 'sharp'
import type { EngineReport, Picture, PictureKind } from '../../src/artwork/reports.ts'
import type { Finding } from '../../src/vocabulary/artwork.ts'

/** What was reported of a file: its findings, and pictures to look at. */
export type Seen = {
  findings: Finding[]
  pictures: Picture[]
  picture(page: number, of: PictureKind): Promise<SeenPicture>
}

/** Colours by the place: 0–1 from the left and from the top. */
export type SeenPicture = { width: number; height: number; at(x: number, y: number): string }

export async function seen(reports: AsyncIterable<EngineReport>): Promise<Seen> {
  const findings: Finding[] = []
  const pictures: Picture[] = []
  for await (const report of reports) {
    if (report.kind === 'picture') pictures.push(report)
    else findings.push(...report.findings)
  }
  return {
    findings,
    pictures,
    async picture(page, of) {
      const found = pictures.find((each) => each.page === page && each.of === of)
      assert.ok(found, `no ${of} picture of page ${page}`)
      const { data, info } = await sharp(found.png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      assert.deepEqual([info.width, info.height], [found.width, found.height])
      return {
        width: info.width,
        height: info.height,
        at(x, y) {
          const row = Math.min(Math.floor(y * info.height), info.height - 1)
          const column = Math.min(Math.floor(x * info.width), info.width - 1)
          const start = (row * info.width + column) * info.channels
          return [...data.subarray(start, start + 3)].join(' ')
        },
      }
    },
  }
}
