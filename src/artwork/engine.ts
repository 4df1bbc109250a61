import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type ArtworkFile, inspectFile, type InspectionLimits } from './child/inspect-file.ts'
import { type Child, createLauncher } from './child/launch.ts'
import { createPlaces } from './child/places.ts'
import type { Program } from './child/program.ts'
import { createSpares, EngineClosed } from './child/spares.ts'
import { type ChildLimits, type WatchedChild, watchChild } from './child/watched-child.ts'
import { engineVersion } from './engine-version.ts'
import type { EngineReport } from './reports.ts'

export type { ArtworkFile } from './child/inspect-file.ts'

/** Looks into print files: what is wrong with them for a product, and how they look. One engine serves a process. */
export type ArtworkEngine = {
  /** Changes whenever the same file could get other findings. */
  version: string
  /**
   * Inspects one file: first its findings, then pictures of its pages and what their pixels show. A file that cannot be
   * read, or takes too much time or memory, ends in a finding. Waits while as many files are inspected as there are
   * processors.
   * @throws what reading `bytes` throws; the signal's reason; Outage if no process can be started; ChildKilled if someone
   * else kills one
   */
  inspect(file: ArtworkFile, signal?: AbortSignal): AsyncIterable<EngineReport>
  /** Ends all inspections and all processes. */
  close(): Promise<void>
}

export type EngineOptions = {
  /** whole lines for people */
  log: (line: string) => void
  /** the programs of the children, for tests */
  programs?: Partial<Programs>
  limits?: Partial<InspectionLimits>
  /** files inspected at a time */
  places?: number
  /** a child that waits for a file for so long ends */
  idleMilliseconds?: number
}

/** The reader takes PDFs and gives findings. The renderer draws their pages, and takes all other files whole. */
type Programs = { reader: Program; renderer: Program }

const megabyte = 1_024 * 1_024

const usualLimits: InspectionLimits = {
  fileBytes: 512 * megabyte,
  readSeconds: 20,
  drawSeconds: 60,
  residentBytes: 450 * megabyte,
}

const usualPrograms: Programs = {
  reader: { entry: fileAt('./child/reader-child.ts'), addons: false, heapMegabytes: 256 },
  renderer: { entry: fileAt('./child/renderer-child.ts'), addons: true, heapMegabytes: 128 },
}

const idleMillisecondsUsually = 5 * 60_000

/** The parts in which the bytes of a file in memory go to a child. */
const pieceBytes = megabyte

function fileAt(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}

export function createArtworkEngine(options: EngineOptions): ArtworkEngine {
  const limits = { ...usualLimits, ...options.limits }
  const programs = { ...usualPrograms, ...options.programs }
  const places = createPlaces(options.places ?? availableParallelism())
  const launcher = createLauncher(options.log)
  const idle = options.idleMilliseconds ?? idleMillisecondsUsually
  const readers = createSpares(() => launcher.start(programs.reader), idle)
  const renderers = createSpares(() => launcher.start(programs.renderer), idle)
  const closing = new AbortController()

  async function* inspect(file: ArtworkFile, signal?: AbortSignal): AsyncGenerator<EngineReport, void> {
    const source = file.bytes instanceof Readable ? file.bytes : Readable.from(piecesOf(file.bytes))
    const children: WatchedChild[] = []
    const stop = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal
    const endChildren = (): Promise<unknown> => Promise.all(children.map((child) => child.end()))
    const stopAll = (): void => {
      source.destroy()
      void endChildren()
    }
    const watched = (child: Child, bounds: () => ChildLimits): WatchedChild => {
      const one = watchChild(child, bounds)
      children.push(one)
      stop.throwIfAborted()
      return one
    }
    let giveBack: (() => void) | undefined
    try {
      giveBack = await places.take(stop)
      stop.addEventListener('abort', stopAll)
      yield* inspectFile(file, source, {
        limits,
        takeReader: async (bounds) => watched(await readers.take(), bounds),
        takeRenderer: async (bounds) => watched(await renderers.take(), bounds),
        refill: () => {
          readers.refill()
          renderers.refill()
        },
        stop,
        log: options.log,
      })
    } catch (error) {
      stop.throwIfAborted()
      throw error
    } finally {
      stop.removeEventListener('abort', stopAll)
      source.destroy()
      await endChildren()
      giveBack?.()
    }
  }

  return {
    version: engineVersion,
    inspect,
    close: async () => {
      closing.abort(new EngineClosed())
      await Promise.all([readers.close(), renderers.close()])
    },
  }
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}
