import type { ArtworkProfile } from '../../vocabulary/artwork.ts'
import { engineVersion } from '../engine-version.ts'
import type { EngineReport } from '../reports.ts'
import { createFrameReader, frameOf } from './frames.ts'

/** What a child is asked to do. */
export type Job = {
  bytes: Buffer
  /** by content */
  mediaType: string
  profile: ArtworkProfile
}

/** What the reader learned about a file and the renderer needs, as the service passes it on without looking into it. */
export type Handover = { kind: 'handover'; bytes: Uint8Array }

/** What the service tells a child, each with bytes or without. */
export type Order =
  /** `size` of the file, if it is known: a guess that is too small costs memory */
  | { kind: 'job'; mediaType: string; profile: ArtworkProfile; size: number; handover: boolean }
  | { kind: 'piece' }
  | { kind: 'whole' }
  | { kind: 'handover' }

/** The service is trusted, but a length that is none would take all memory. */
const bounds = { head: 1_024 * 1_024, bytes: 64 * 1_024 * 1_024 }

/**
 * The life of a child: it says that it is ready, takes one file from standard input, reports on standard output and
 * ends. It also ends when standard input does: then the service is gone.
 * @param inspect gets the handover of the reader where the service announced one
 */
export function serveFile(
  inspect: (job: Job, handover: Buffer | undefined) => AsyncIterable<EngineReport | Handover>,
): void {
  const read = createFrameReader(bounds)
  let room = Buffer.alloc(0)
  let length = 0
  let order: (Order & { kind: 'job' }) | undefined
  let isWhole = false

  process.stdin.on('data', (piece: Buffer) => {
    for (const { head, bytes } of read(piece)) take(head as Order, bytes)
  })
  process.stdin.on('end', () => process.exit())
  void tell({ kind: 'ready', version: engineVersion })

  function take(said: Order, bytes: Buffer): void {
    if (said.kind === 'job') {
      order = said
      room = Buffer.allocUnsafeSlow(said.size)
    }
    if (said.kind === 'piece') keep(bytes)
    if (said.kind === 'whole') isWhole = true
    const { handover } = order!
    if (isWhole && handover === (said.kind === 'handover')) void work(handover ? bytes : undefined)
  }

  function keep(piece: Buffer): void {
    if (length + piece.length > room.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * room.length, length + piece.length))
      room.copy(larger, 0, 0, length)
      room = larger
    }
    length += piece.copy(room, length)
  }

  async function work(handover: Buffer | undefined): Promise<void> {
    const { mediaType, profile } = order!
    for await (const report of inspect({ bytes: room.subarray(0, length), mediaType, profile }, handover)) {
      if (report.kind === 'picture') {
        const { png, ...head } = report
        await tell(head, png)
      } else if (report.kind === 'handover') await tell({ kind: 'handover' }, report.bytes)
      else await tell(report)
    }
    await tell({ kind: 'end' })
    process.exit()
  }
}

async function tell(head: unknown, bytes?: Uint8Array): Promise<void> {
  const frame = Buffer.concat(frameOf(clean(head), bytes))
  await new Promise<void>((told) => process.stdout.write(frame, () => told()))
}

/** Texts from a file may hold what neither the service nor the database takes. */
function clean(head: unknown): unknown {
  return JSON.parse(JSON.stringify(head), (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll(/\p{Cc}/gu, ' ') : value,
  )
}
