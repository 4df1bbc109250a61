import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findBinariesPackage, installedFolder, prepareBinaries } from './binaries.ts'

const nobody = { uid: 65534, gid: 65534 }
const onlyRoot = process.getuid?.() === 0 ? false : 'needs root, to become another user'

test('the installed package holds PostgreSQL 18', async () => {
  const found = await findBinariesPackage()
  assert.equal(found.major, '18')
  assert.match(found.version, /^18\./)
})

test('a platform without binaries, or a package left out of the installation, is refused in one sentence', () => {
  assert.throws(() => installedFolder('win32', 'x64'), {
    name: 'EmbeddedServerRefused',
    message: /^[^\n]+win32-x64[^\n]+DATABASE_URL[^\n]+\.$/,
  })
  const absent = process.platform === 'darwin' ? 'linux' : 'darwin'
  assert.throws(() => installedFolder(absent, 'arm64'), {
    name: 'EmbeddedServerRefused',
    message: /^[^\n]+-arm64 is not installed[^\n]+DATABASE_URL[^\n]+\.$/,
  })
})

test('library links that the installation did not make are made in the package', async (t) => {
  const world = await scene(t)
  assert.equal(await prepareBinaries(world.package, world.folder, undefined), world.native)
  assert.equal(await readlink(join(world.native, 'lib', 'libword.so.1')), 'libword.so.1.2')
  assert.deepEqual(await readdir(world.folder), [])
})

test('a package closed to the database user is copied once into the data folder', { skip: onlyRoot }, async (t) => {
  const world = await scene(t)
  await chmod(world.package.folder, 0o700)
  const copy = await prepareBinaries(world.package, world.folder, nobody)
  assert.equal(dirname(dirname(copy)), world.folder)
  assert.equal(spawnSync(join(copy, 'bin', 'postgres'), nobody).stdout.toString(), 'the word\n')
  assert.equal(await prepareBinaries(world.package, world.folder, nobody), copy)

  await rm(join(copy, 'share', 'word'))
  const again = await prepareBinaries(world.package, world.folder, nobody)
  assert.notEqual(again, copy)
  assert.equal(await readFile(join(again, 'share', 'word'), 'utf8'), 'word')
})

test(
  'a data folder closed to the database user too leaves the folder for temporary files, but no copy that others prepared there',
  { skip: onlyRoot },
  async (t) => {
    const world = await scene(t)
    await chmod(world.package.folder, 0o700)
    await chmod(world.folder, 0o700)
    const trap = join(tmpdir(), `partner-commerce-postgresql-${world.package.version}-trap`)
    await cp(world.package.folder, trap, { recursive: true })
    await chmod(trap, 0o755)
    await chown(trap, nobody.uid, nobody.gid)
    const copy = await prepareBinaries(world.package, world.folder, nobody)
    assert.equal(dirname(dirname(copy)), tmpdir())
    assert.notEqual(dirname(copy), trap)
    assert.equal((await stat(dirname(copy))).uid, 0)

    // The copy itself, once another user can write to it.
    await chmod(dirname(copy), 0o777)
    assert.notEqual(await prepareBinaries(world.package, world.folder, nobody), copy)
  },
)

test(
  'an ordinary user gets a copy when the links are missing and the package belongs to another user',
  { skip: onlyRoot },
  async (t) => {
    const world = await scene(t)
    await chown(world.folder, nobody.uid, nobody.gid)
    const script = `
    import { prepareBinaries } from ${JSON.stringify(new URL('binaries.ts', import.meta.url).href)}
    console.log(await prepareBinaries(${JSON.stringify(world.package)}, ${JSON.stringify(world.folder)}, undefined))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { ...nobody, cwd: '/' })
    const copy = stdout.toString().trim()
    assert.equal(dirname(dirname(copy)), world.folder)
    assert.equal(await readlink(join(copy, 'lib', 'libword.so.1')), 'libword.so.1.2')
  },
)

test('programs that do not run anywhere are refused, and no copy is left', async (t) => {
  const world = await scene(t)
  await writeFile(join(world.native, 'bin', 'postgres'), '#!/bin/sh\necho no such processor >&2\nexit 1\n')
  await assert.rejects(prepareBinaries(world.package, world.folder, undefined), {
    name: 'EmbeddedServerRefused',
    message: /^[^\n]+\(no such processor\): set DATABASE_URL[^\n]+\.$/,
  })
  assert.deepEqual(await readdir(world.folder), [])

  await writeFile(join(world.native, 'bin', 'postgres'), '#!/absent/loader\n')
  await assert.rejects(prepareBinaries(world.package, world.folder, undefined), {
    message: /GNU C library: set DATABASE_URL/,
  })
})

/** A package in small: a program that needs its library by the short name only a link gives, and an empty data folder. */
async function scene(t: TestContext) {
  const beside = await mkdtemp(join(tmpdir(), 'embedded-binaries-'))
  const version = `18.4.0-test-${process.pid}-${beside.slice(-6)}`
  t.after(async () => {
    await rm(beside, { recursive: true })
    for (const name of await readdir(tmpdir())) {
      if (name.startsWith(`partner-commerce-postgresql-${version}`)) await rm(join(tmpdir(), name), { recursive: true })
    }
  })
  await chmod(beside, 0o755)
  const folder = join(beside, 'data')
  await mkdir(folder)
  const packageFolder = join(beside, 'package')
  const native = join(packageFolder, 'native')
  for (const name of ['bin', 'lib', 'share']) await mkdir(join(native, name), { recursive: true })
  await writeFile(join(native, 'bin', 'postgres'), '#!/bin/sh\nexec cat "${0%/*}/../lib/libword.so.1"\n', {
    mode: 0o755,
  })
  await writeFile(join(native, 'lib', 'libword.so.1.2'), 'the word\n')
  await writeFile(join(native, 'lib', 'libword.a'), 'only for compilers')
  await writeFile(join(native, 'share', 'word'), 'word')
  await writeFile(
    join(native, 'pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/libword.so.1.2', target: 'native/lib/libword.so.1' }]),
  )
  return { folder, native, package: { folder: packageFolder, version, major: '18' } }
}
