import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { PartnerEntry, PartnerKey } from './cast-partners.ts'
import type { CastManifest } from './cast.ts'
import { demoStaff } from './credentials.ts'

/** All a client must know to use the demo world: where it is served, who may call, and which record shows what. */
export type Manifest = {
  hosts: ManifestHosts
  staff: { username: string; password: string }
  partners: Record<PartnerKey, PartnerEntry>
  sites: CastManifest['sites']
  /** of production; the sandbox has the same records under the same ids, except orders and submissions */
  fixtures: CastManifest['fixtures']
}

export type ManifestHosts = {
  baseUrl: string
  mtlsBaseUrl: string
  sandboxBaseUrl: string
  consoleUrl: string
  storageUrl: string
  opsUrl: string
}

export function demoManifest(
  hosts: ManifestHosts,
  casts: { production: CastManifest; sandbox: CastManifest },
  masterKey: Buffer,
): Manifest {
  return {
    hosts,
    staff: demoStaff(masterKey),
    partners: { ...casts.production.partners, ...casts.sandbox.partners } as Manifest['partners'],
    sites: casts.production.sites,
    fixtures: casts.production.fixtures,
  }
}

/** Writes `demo.json` into the data folder, readable by its owner alone: it holds credentials. */
export async function writeManifest(dataDir: string, manifest: Manifest): Promise<void> {
  const draft = join(dataDir, 'demo.json.new')
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, join(dataDir, 'demo.json'))
}
