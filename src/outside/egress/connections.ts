import type { LookupAddress, LookupOptions } from 'node:dns'
import { Resolver, lookup as lookupBySystem } from 'node:dns/promises'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { callbackify } from 'node:util'
import { isPublicAddress } from './addresses.ts'
import { EgressFailed, EgressRefused } from './outcomes.ts'

/** Gives every address of a host name, at least one, or throws. */
export type NameLookup = (host: string) => Promise<readonly string[]>

type Agents = Readonly<Record<'http:' | 'https:', HttpAgent>>

/**
 * Kept-alive connections in two pools that never mix: one whose name look-ups accept public addresses alone, and one
 * for the hosts staff allow by name. A connection made under an allowance that was since withdrawn is therefore
 * never found by a call without it.
 *
 * Agents set no bound on busy connections, because an agent at its bound makes calls wait in line behind each other's
 * hosts; the egress counts calls instead. Idle ones are bounded here, in number and in time: a connection that its
 * server is about to close is the one way a single attempt is lost without anyone's fault.
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
      // Of several addresses the first dead one may cost this much of a call's time before the next is tried.
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
    allowed: openPair(lookupFor(bounds.lookup ?? lookupHosts, () => true)),
    close: () => {
      for (const agent of agents) agent.destroy()
    },
  }
}

/**
 * Puts a name look-up where a connection asks for its addresses, so that what is checked is what is connected to and a
 * name that changes its answer in between gains nothing. One address that may not be reached refuses the whole
 * answer: which of several is tried first is then no matter.
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
 * Asks the name servers directly, not the system: the system's look-up runs on the process's few threads, where two
 * names with dead servers would hold up everybody's names, files and hashing. It also knows neither the hosts file
 * nor search domains, which describe our own network. A resolver per look-up can be had in 0.1 ms and never holds
 * stale servers.
 */
async function lookupByResolver(host: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length === 0 && answers[0].status === 'rejected') throw answers[0].reason
  return addresses
}

/** Hosts that staff name may well live in the hosts file or behind a search domain. */
async function lookupHosts(host: string): Promise<readonly string[]> {
  return (await lookupBySystem(host, { all: true })).map(({ address }) => address)
}
