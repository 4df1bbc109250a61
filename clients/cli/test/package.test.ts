import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newHome } from './world/program.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('the package installs without a registry, holds nothing but the program, and runs by npx', async () => {
  const { folder, environment } = await newHome()
  const npm = (cwd: string, ...words: string[]): string =>
    execFileSync('npm', words, { cwd, env: { ...environment, npm_config_offline: 'true' }, encoding: 'utf8' })
  const [packed] = JSON.parse(npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder))
  assert.deepEqual(packed.files.map(({ path }: { path: string }) => path).toSorted(), [
    'README.md',
    'dist/partner-commerce.js',
    'package.json',
    'partner-commerce.js',
  ])
  npm(folder, 'init', '--yes')
  npm(folder, 'install', '--no-audit', '--no-fund', join(folder, packed.filename))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  assert.equal(npm(folder, 'exec', '--no', '--', 'partner-commerce', '--version').trim(), version)
  const program = await readFile(join(folder, 'node_modules/partner-commerce/dist/partner-commerce.js'), 'utf8')
  assert.ok(program.startsWith('#!/usr/bin/env node\n'))
})
