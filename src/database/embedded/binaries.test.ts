import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findBinariesPackage, installedFolder, prepareBinaries } from './binaries.ts'

const unprivileged = { uid: 65534, gid: 65534 }
const onlyRoot = process.getuid?.() === 0 ? false : 'needs root, to become another user'

test('the installed package contains PostgreSQL 18', async () => {
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

test('missing library links are made in the package', async (t) => {
  const setup = await setUp(t)
  assert.equal(await prepareBinaries(setup.package, setup.folder, undefined), setup.native)
  assert.equal(await readlink(join(setup.native, 'lib', 'libword.so.1')), 'libword.so.1.2')
  assert.deepEqual(await readdir(setup.folder), [])
})

test(
  'a package that the database user cannot read is copied once into the data folder',
  { skip: onlyRoot },
  async (t) => {
    const setup = await setUp(t)
    await chmod(setup.package.folder, 0o700)
    const copy = await prepareBinaries(setup.package, setup.folder, unprivileged)
    assert.equal(dirname(dirname(copy)), setup.folder)
    assert.equal(spawnSync(join(copy, 'bin', 'postgres'), unprivileged).stdout.toString(), 'the word\n')
    assert.equal(await prepareBinaries(setup.package, setup.folder, unprivileged), copy)

    await rm(join(copy, 'share', 'word'))
    const again = await prepareBinaries(setup.package, setup.folder, unprivileged)
    assert.notEqual(again, copy)
    assert.equal(await readFile(join(again, 'share', 'word'), 'utf8'), 'word')
  },
)

test(
  'when the data folder is closed too, the copy goes to the temporary folder, and copies that others put there are not used',
  { skip: onlyRoot },
  async (t) => {
    const setup = await setUp(t)
    await chmod(setup.package.folder, 0o700)
    await chmod(setup.folder, 0o700)
    const trap = join(tmpdir(), `partner-commerce-postgresql-${setup.package.version}-trap`)
    await cp(setup.package.folder, trap, { recursive: true })
    await chmod(trap, 0o755)
    await chown(trap, unprivileged.uid, unprivileged.gid)
    const copy = await prepareBinaries(setup.package, setup.folder, unprivileged)
    assert.equal(dirname(dirname(copy)), tmpdir())
    assert.notEqual(dirname(copy), trap)
    assert.equal((await stat(dirname(copy))).uid, 0)

    // The copy is no longer trusted once another user can write to it.
    await chmod(dirname(copy), 0o777)
    assert.notEqual(await prepareBinaries(setup.package, setup.folder, unprivileged), copy)
  },
)

test(
  'an ordinary user gets a copy when the links are missing and the package belongs to another user',
  { skip: onlyRoot },
  async (t) => {
    const setup = await setUp(t)
    await chown(setup.folder, unprivileged.uid, unprivileged.gid)
    const script = `
    import { prepareBinaries } from ${JSON.stringify(new URL('binaries.ts', import.meta.url).href)}
    console.log(await prepareBinaries(${JSON.stringify(setup.package)}, ${JSON.stringify(setup.folder)}, undefined))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      ...unprivileged,
      cwd: '/',
    })
    const copy = stdout.toString().trim()
    assert.equal(dirname(dirname(copy)), setup.folder)
    assert.equal(await readlink(join(copy, 'lib', 'libword.so.1')), 'libword.so.1.2')
  },
)

test('programs that cannot run are refused, and no copy is left', async (t) => {
  const setup = await setUp(t)
  await writeFile(join(setup.native, 'bin', 'postgres'), '#!/bin/sh\necho no such processor >&2\nexit 1\n')
  await assert.rejects(prepareBinaries(setup.package, setup.folder, undefined), {
    name: 'EmbeddedServerRefused',
    message: /^[^\n]+\(no such processor\): set DATABASE_URL[^\n]+\.$/,
  })
  assert.deepEqual(await readdir(setup.folder), [])

  await writeFile(join(setup.native, 'bin', 'postgres'), '#!/absent/loader\n')
  await assert.rejects(prepareBinaries(setup.package, setup.folder, undefined), {
    message: /GNU C library: set DATABASE_URL/,
  })
})

/**
 * A miniature package: a program that needs its library by the short name that only a link provides, and an empty data
 * folder.
 */
async function setUp(t: TestContext) {
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
