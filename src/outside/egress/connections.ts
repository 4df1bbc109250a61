import type { LookupAddress, LookupOptions } from 'node:dns'
import { Resolver, lookup as lookupBySystem } from 'node:dns/promises'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { callbackify } from 'node:util'
import { isAllowableAddress, isPublicAddress } from './addresses.ts'
import { EgressFailed, EgressRefused } from './outcomes.ts'

/** Resolves to all addresses of a host name, at least one, or rejects. */
export type NameLookup = (host: string) => Promise<readonly string[]>

type Agents = Readonly<Record<'http:' | 'https:', HttpAgent>>

/**
 * Kept-alive connections in two pools that never mix: one accepts only public addresses, the other serves the hosts
 * that staff allow by name. So a call that is not allowed a host never gets a connection that was opened while the host
 * was allowed.
 *
 * Agents set no bound on busy connections: an agent at its bound would queue calls behind those to other hosts. The
 * egress counts calls instead. Idle connections are bounded here, in number and in time, because a call on a connection
 * that its server is about to close fails through no one's fault.
 */
export function openPools(bounds: {
  lookup: NameLookup | undefined
  certificateAuthorities: readonly string[] | undefined
  idleConnectionsMax: number
  idleMillisecondsMax: number
}): { public: Agents; allowed: Agents; close: () => void } {
  const agents: HttpAgent[] = []
  const idleConnections = () =>
    agents.flatMap((agent) => Object.values(agent.freeSockets)).reduce((sum, idle) => sum + (idle?.length ?? 0), 0)

  function open<A extends HttpAgent>(agent: A): A {
    const keepSocketAlive = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean
    agent.keepSocketAlive = (socket) => idleConnections() < bounds.idleConnectionsMax && keepSocketAlive(socket)
    agents.push(agent)
    return agent
  }

  function openPair(lookup: LookupFunction): Agents {
    const options = {
      lookup,
      keepAlive: true,
      timeout: bounds.idleMillisecondsMax,
      autoSelectFamily: true,
      // With several addresses, a dead one may cost this much of a call's time before the next is tried.
      autoSelectFamilyAttemptTimeout: 1_000,
    }
    const ca = bounds.certificateAuthorities
    return {
      'http:': open(new HttpAgent(options)),
      'https:': open(new HttpsAgent(ca === undefined ? options : { ...options, ca: [...ca] })),
    }
  }

  return {
    public: openPair(lookupFor(bounds.lookup ?? lookupByResolver, isPublicAddress)),
    allowed: openPair(lookupFor(bounds.lookup ?? lookupHosts, isAllowableAddress)),
    close: () => {
      for (const agent of agents) agent.destroy()
    },
  }
}

/**
 * Makes the connection itself use this name look-up. The addresses that are checked are then the addresses that are
 * connected to, and a name that changes its answer in between gains nothing. One address that may not be reached
 * refuses the whole answer, so the order of the addresses does not matter.
 */
function lookupFor(lookup: NameLookup, mayReach: (ip: string) => boolean): LookupFunction {
  return callbackify(async (host: string, _options: LookupOptions): Promise<LookupAddress[]> => {
    const addresses = await lookup(host).catch((error: NodeJS.ErrnoException) => {
      throw new EgressFailed('name', error.code, error)
    })
    if (addresses.length === 0) throw new EgressFailed('name', 'ENODATA')
    if (!addresses.every(mayReach)) throw new EgressRefused('address')
    return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  })
}

/**
 * Asks the name servers directly. The system's look-up runs on the few threads of the process, where two names with
 * dead servers would delay all other look-ups, file access and hashing. It also reads the hosts file and search
 * domains, which describe our own network. Making a resolver takes 0.1 ms, and a fresh one has no stale servers.
 */
async function lookupByResolver(host: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length === 0 && answers[0].status === 'rejected') throw answers[0].reason
  return addresses
}

/** Hosts that staff name may be in the hosts file or need a search domain. */
async function lookupHosts(host: string): Promise<readonly string[]> {
  return (await lookupBySystem(host, { all: true })).map(({ address }) => address)
}
