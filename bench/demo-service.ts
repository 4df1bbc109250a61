import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hosts, Manifest } from '../src/demo/manifest.ts'
import { accessToken, anyPorts, postmasterOf, startService } from './process.ts'

/** A service on demo data. `token`: of the partner `primary`, with all scopes. */
export type DemoService = {
  hosts: Hosts
  pid: number
  postmaster: number
  dataDir: string
  manifest: Manifest
  token: string
}

/** As `npm start` runs it, but without limits: the highest tier allows less than a bench asks. */
export function benchSettings(dataDir: string): Readonly<Record<string, string>> {
  return { DATA_DIR: dataDir, BENCH_LIMITS: 'off', LOG_LEVEL: 'warn', ...anyPorts }
}

/** Runs `use` with a service that found its demo data when it started. */
export async function withDemoService(use: (service: DemoService) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'partner-commerce-bench-'))
  try {
    await (await startService(benchSettings(dataDir))).stop()
    const service = await startService<Hosts>(benchSettings(dataDir))
    try {
      const manifest = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Manifest
      const token = await accessToken(service.ready.baseUrl, manifest.partners.primary!)
      const { ready: hosts, pid } = service
      await use({ hosts, pid, postmaster: postmasterOf(dataDir), dataDir, manifest, token })
    } finally {
      await service.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
