import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PartnerEntry, PartnerKey } from './cast-partners.ts'
import type { CastManifest } from './cast.ts'
import { demoStaff } from './credentials.ts'

/** The file that tells a client of the demo world all it needs: where, as whom, and which record is the special one. */

export type Hosts = {
  baseUrl: string
  mtlsBaseUrl: string
  sandboxBaseUrl: string
  consoleUrl: string
  storageUrl: string
  opsUrl: string
}

export type Manifest = CastManifest & {
  hosts: Hosts
  staff: { username: string; password: string }
  partners: Record<PartnerKey, PartnerEntry>
}

/** Both environments give their partners; sites and fixtures are production's. */
export function demoManifest(
  hosts: Hosts,
  masterKey: Buffer,
  environments: { production: CastManifest; sandbox: CastManifest },
): Manifest {
  const { production, sandbox } = environments
  return {
    hosts,
    staff: demoStaff(masterKey),
    // Every key is in one of the two.
    partners: { ...production.partners, ...sandbox.partners } as Manifest['partners'],
    sites: production.sites,
    fixtures: production.fixtures,
  }
}

/**
 * Writes `demo.json` into the data folder, for its owner's eyes only: it holds secrets. Readers see the old file or the
 * new one, never a part.
 * @returns the file's path
 */
export async function writeManifest(dataDir: string, manifest: Manifest): Promise<string> {
  const path = join(dataDir, 'demo.json')
  const unfinished = `${path}.new`
  // An unfinished one of a start that was killed may have lost its mode.
  await rm(unfinished, { force: true })
  await writeFile(unfinished, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(unfinished, path)
  return path
}
