import { argon2Sync, type Argon2Parameters } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

/** The thread in which passwords are hashed, one after another. */
parentPort!.on('message', (parameters: Argon2Parameters) => {
  parentPort!.postMessage(argon2Sync('argon2id', parameters))
})
