import { enableCompileCache } from 'node:module'

// Before anything else is loaded: compiled modules are cached, and the next start reuses them.
enableCompileCache()
const { runService } = await import('./process.ts')
await runService()
