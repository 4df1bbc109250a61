import { enableCompileCache } from 'node:module'

// Where no NODE_COMPILE_CACHE says so, which also serves this file and threads: compiled modules are kept for the next start.
enableCompileCache()
const { runService } = await import('./process.ts')
await runService()
