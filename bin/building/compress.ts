import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/**
 * Writes a `.br` and a `.gz` beside each file, so that the service only hands them out.
 * @param root a folder, with a slash at its end
 * @param pattern the files in it, such as `dist/*.css`
 */
export async function compress(root: string, pattern: string): Promise<void> {
  const files = globSync(pattern, { cwd: root }).map((file) => `${root}${file}`)
  const queue = files.values()
  await Promise.all(Array.from({ length: availableParallelism() }, () => compressFrom(queue)))
}

async function compressFrom(files: Iterator<string> & Iterable<string>): Promise<void> {
  for (const file of files) {
    const bytes = await readFile(file)
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
      promisify(gzip)(bytes, { level: 9 }),
    ])
    await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
  }
}
