import { enableCompileCache } from 'node:module'

// Before anything else is loaded: compiled modules are kept, and the next start finds them.
enableCompileCache()
const { runService } = await import('./process.ts')
await runService()
