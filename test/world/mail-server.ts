import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { simpleParser, type ParsedMail } from 'mailparser'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'

/** A mail server on loopback, which keeps what it takes. */
export type MailServer = {
  port: number
  url: string
  /** what it took, also what it did not answer for */
  taken: Taken[]
  /** connections so far */
  connections: number
  arrival: (holds: (taken: readonly Taken[]) => boolean) => Promise<Taken[]>
  close: () => Promise<void>
}

export type Taken = { from: string; to: string[]; mail: ParsedMail; raw: string; isEncrypted: boolean }

/** `refuse`: what the server says to a recipient or a message; `cut`: the connection ends after the message, without an answer */
type Manners = {
  recipient?: (address: string) => { code: number; text: string } | undefined
  message?: (mail: ParsedMail) => { code: number; text: string } | 'cut' | 'silence' | undefined
}

export async function startMailServer(
  t: Pick<TestContext, 'after'>,
  manners: Manners = {},
  options: SMTPServerOptions = { disabledCommands: ['STARTTLS', 'AUTH'] },
): Promise<MailServer> {
  const taken: Taken[] = []
  const watchers = new Set<() => void>()
  async function take(
    stream: AsyncIterable<Buffer>,
    session: SMTPServerSession,
    callback: (error?: Error | null) => void,
  ): Promise<void> {
    const raw = Buffer.concat(await Array.fromAsync(stream))
    const mail = await simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true })
    const { mailFrom, rcptTo } = session.envelope
    const manner = manners.message?.(mail)
    if (typeof manner !== 'object') {
      taken.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        mail,
        raw: raw.toString(),
        isEncrypted: session.secure,
      })
    }
    for (const watch of watchers) watch()
    if (manner === 'cut') for (const { _socket } of connectionsOf(server)) _socket.destroy()
    else if (manner !== 'silence') callback(manner ? answer(manner) : null)
  }
  const answer = ({ code, text }: { code: number; text: string }): Error =>
    Object.assign(new Error(text), { responseCode: code })
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    ...options,
    onRcptTo: ({ address }, _session, callback) => {
      const refused = manners.recipient?.(address)
      callback(refused ? answer(refused) : null)
    },
    onData: (stream, session, callback) => {
      void take(stream as AsyncIterable<Buffer>, session, callback)
    },
  })
  server.on('error', () => {})
  const world: MailServer = {
    port: 0,
    url: '',
    taken,
    connections: 0,
    arrival: (holds) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!holds(taken)) return
          watchers.delete(look)
          resolve(taken)
        }
        watchers.add(look)
        look()
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  server.server.on('connection', () => world.connections++)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  world.port = (server.server.address() as AddressInfo).port
  world.url = `smtp${options.secure ? 's' : ''}://127.0.0.1:${world.port}`
  t.after(() => world.close())
  return world
}

function connectionsOf(server: SMTPServer): Set<{ _socket: { destroy: () => void } }> {
  return (server as unknown as { connections: Set<{ _socket: { destroy: () => void } }> }).connections
}
