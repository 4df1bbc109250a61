import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** Stands between programs and a PostgreSQL and counts round trips: that one speaks after the server has answered. */
export type CountingProxy = {
  /** the URL of a database, by way of the proxy */
  url: (database: string) => string
  /** so far, over all connections */
  trips: () => number
  close: () => void
}

/** @param urlOf the URL of a database by its name, with a socket's folder as its host */
export async function startCountingProxy(urlOf: (database: string) => string): Promise<CountingProxy> {
  let trips = 0
  const { hostname, port } = new URL(urlOf('postgres'))
  const server = createServer((client) => {
    const upstream = connect(`${decodeURIComponent(hostname)}/.s.PGSQL.${port}`)
    let isAnswered = true
    client.on('data', () => {
      if (isAnswered) trips++
      isAnswered = false
    })
    upstream.on('data', () => (isAnswered = true))
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: (database) => {
      const url = new URL(urlOf(database))
      url.hostname = '127.0.0.1'
      url.port = `${(server.address() as AddressInfo).port}`
      return url.href
    },
    trips: () => trips,
    close: () => server.close(),
  }
}
