import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

/** A peer is installed outside the checkout. Its packages are no dependencies of ours. */
export const peersFolder = process.env.PEERS ?? join(tmpdir(), 'partner-commerce-peers')
/** A PostgreSQL whose role may create databases. */
const serverUrl = process.env.PEERS_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** The exact releases that are measured. */
export const versions = { medusa: '2.21.2', vendure: '3.7.3', vendurePg: '8.16.3' }

/** What a caller asks; one with a body is a POST. */
export type Call = { url: string; headers: Record<string, string>; body?: string }
export type Reads = Record<'product page of 50' | 'one product' | 'order list of 50' | 'one order', Call>

/** So many callers place orders at once at most. */
export const callersMax = 16

/**
 * A peer that serves. `pids`: its processes. `placeOrder` resolves when an order of two lines is placed; each caller, of
 * number 0 on, orders products of its own, since Medusa fails orders that want the same stock at the same moment.
 */
export type Serving = {
  pids: number[]
  reads: Reads
  placeOrder: (caller: number) => Promise<void>
  stop: () => Promise<void>
}

export type Peer = {
  name: string
  isInstalled: () => boolean
  start: () => Promise<Serving>
}

export function folderOf(peer: string): string {
  return join(peersFolder, peer)
}

/** Written last when a peer is installed, so that half of one does not count. */
const doneFile = 'installed.json'

export function isInstalled(peer: string): boolean {
  return existsSync(join(folderOf(peer), doneFile))
}

export function markInstalled(peer: string): void {
  writeFileSync(join(folderOf(peer), doneFile), JSON.stringify(versions))
}

/** Makes the peer's folder anew, with our templates (`.cjs` here, `.js` there) and its packages. */
export function installPackages(peer: string, dependencies: Readonly<Record<string, string>>): void {
  const folder = folderOf(peer)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const templates = new URL(`${peer}/`, import.meta.url)
  for (const file of readdirSync(templates))
    cpSync(new URL(file, templates), join(folder, file.replace(/\.cjs$/, '.js')))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: `peer-${peer}`, private: true, dependencies }))
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
}

/** Runs a program of the peer in its folder to its end. */
export function runOf(peer: string, words: readonly string[], env: Readonly<Record<string, string>>): void {
  execFileSync(process.execPath, words, {
    cwd: folderOf(peer),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

export function databaseUrlOf(database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Drops a database, with its connections, if it is there. */
export async function dropDatabase(database: string): Promise<void> {
  await onServer((client) => client.query(`drop database if exists ${database} with (force)`))
}

export async function freshDatabase(database: string): Promise<void> {
  await dropDatabase(database)
  await onServer((client) => client.query(`create database ${database}`))
}

/** Runs `use` with a connection of its own to the server that all sides use. */
export async function onServer<Result>(use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** @throws if the answer is not 2xx */
export async function ask<Answer>({ url, headers, body }: Call): Promise<Answer> {
  const answer = await fetch(url, { headers, ...(body !== undefined && { method: 'POST', body }) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text.slice(0, 500)}`)
  return JSON.parse(text) as Answer
}

export const shipTo = {
  address: '500 Howard St',
  city: 'San Francisco',
  state: 'CA',
  postalCode: '94105',
  country: 'US',
}
/** So many orders stand in a peer before it is measured, at least. */
export const ordersBefore = 100
