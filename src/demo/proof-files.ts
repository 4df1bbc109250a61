import type { Queries } from '../database/database.ts'
import type { ObjectStore } from '../outside/object-store/object-store.ts'
import { drawProof } from '../platform/proofs/draw-proof.ts'
import { readProofFacts } from '../platform/proofs/read-proof-sheet.ts'

/**
 * The files behind the proofs of the demo data. There are thousands and hardly any is ever opened, so each is drawn
 * when its first link is asked for. All revisions of a line show the same.
 */
const keyForm = /^demo\/proofs\/(\d+)-(\d+)\.(pdf|png)$/

/** Where the demo data's proof of a line is, and the preview of it. */
export function demoProofKeys(orderNumber: number, lineNumber: number): { objectKey: string; renditionKey: string } {
  const key = `demo/proofs/${orderNumber}-${lineNumber}`
  return { objectKey: `${key}.pdf`, renditionKey: `${key}.png` }
}

/** The store, in which the files of demo proofs are whenever a link to them is made. */
export function withDemoProofs(store: ObjectStore, queries: Queries): ObjectStore {
  const present = new Map<string, Promise<void>>()

  async function drawIfMissing(key: string): Promise<void> {
    const [, orderNumber, lineNumber, kind] = keyForm.exec(key) ?? []
    if (kind === undefined || (await store.head(key))) return
    const line = await readProofFacts(queries, Number(orderNumber), Number(lineNumber))
    if (!line) return
    // All revisions show the same, so it is the first that they show.
    const { pdf, picture } = await drawProof({ ...line, revision: 1, drawnOn: new Date(line.updatedOn), files: [] })
    await store.write(key, kind === 'pdf' ? pdf : picture!)
  }

  return {
    ...store,
    presignGet: async (key, options) => {
      let drawn = present.get(key)
      if (!drawn) {
        drawn = drawIfMissing(key)
        present.set(key, drawn)
        drawn.catch(() => present.delete(key))
      }
      await drawn
      return store.presignGet(key, options)
    },
  }
}
