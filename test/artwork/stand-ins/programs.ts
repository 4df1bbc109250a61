import { fileURLToPath } from 'node:url'
import type { EngineOptions } from '../../../src/artwork/engine.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The stand-ins as the programs of an engine. */
export const standIns: EngineOptions['programs'] = {
  reader: { entry: at('reader.ts'), addons: false, heapMegabytes: 64 },
  renderer: { entry: at('renderer.ts'), addons: true, heapMegabytes: 64 },
}
