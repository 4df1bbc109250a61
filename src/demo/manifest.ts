import { join } from 'node:path'
import { writeWholeFile } from '../outside/whole-file.ts'
import type { PartnerEntry, PartnerKey } from './cast/partners.ts'
import type { CastManifest } from './cast/cast.ts'
import type { Seeded } from './seed.ts'
import { demoStaff } from './credentials.ts'
import type { CertificateFiles } from './demo-certificate.ts'

/** The file with everything that a client of the demo data needs: addresses, credentials and the special records. */

export type Hosts = {
  baseUrl: string
  mtlsBaseUrl: string
  sandboxBaseUrl: string
  developerUrl: string
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
  environments: { production: Seeded; sandbox: Seeded },
  /** of the partner `certificate`, where it has one */
  certificate?: CertificateFiles & { caFile: string },
): Manifest {
  const { demoKey, manifest: production } = environments.production
  const { manifest: sandbox } = environments.sandbox
  // Every key is in one of the two.
  const partners = { ...production.partners, ...sandbox.partners } as Manifest['partners']
  return {
    hosts,
    staff: demoStaff(demoKey),
    partners: { ...partners, ...(certificate && { certificate: { ...partners.certificate, certificate } }) },
    sites: production.sites,
    fixtures: production.fixtures,
  }
}

/**
 * Writes `demo.json` into the data folder, for its owner's eyes only: it holds secrets.
 * @returns the file's path
 */
export async function writeManifest(dataDir: string, manifest: Manifest): Promise<string> {
  const path = join(dataDir, 'demo.json')
  await writeWholeFile(path, `${JSON.stringify(manifest, null, 2)}\n`, 0o600)
  return path
}
