import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pack } from '../../bin/pack.ts'

/** The clients and the command line as packages that install without any registry. */
const clients = fileURLToPath(new URL('../../clients/', import.meta.url))

/** @param folder is made, and holds the files under names without a version */
export async function writeDownloads(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await pack(`${clients}typescript`, join(folder, 'partner-commerce-client.tgz'))
  await pack(`${clients}cli`, join(folder, 'partner-commerce.tgz'))
  await copyFile(`${clients}python/partner_commerce.py`, join(folder, 'partner_commerce.py'))
}
