import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Builds the program where it is out of date, and writes its package as `npm pack` does: a file that `npm install` takes.
 * @param file where to, such as `downloads/partner-commerce.tgz`
 */
export function pack(file: string): void {
  execFileSync(process.execPath, [join(root, 'build/build.ts'), '--if-stale'], { stdio: 'inherit' })
  const folder = mkdtempSync(join(tmpdir(), 'partner-commerce-pack-'))
  try {
    const packed = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
    const said = execFileSync('npm', packed, { cwd: root, encoding: 'utf8' })
    const [{ filename }] = JSON.parse(said) as [{ filename: string }]
    copyFileSync(join(folder, filename), resolve(file))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) pack(process.argv[2]!)
