import { createContext, useContext } from 'react'

/** Production and sandbox are two hosts with a sign-in each. The first part of a page's path says which one it shows. */

export const environments = ['production', 'sandbox'] as const
export type Environment = (typeof environments)[number]

export type Hosts = Readonly<Record<Environment, string>>

export function isEnvironment(text: string | undefined): text is Environment {
  return text === 'production' || text === 'sandbox'
}

export const environmentNames: Readonly<Record<Environment, string>> = { production: 'Production', sandbox: 'Sandbox' }

let known: Hosts | undefined

/** The base URLs of the two hosts, which the page that shows the portal knows. */
export function keepHosts(hosts: Hosts): void {
  known = hosts
}

/** `https://sandbox.example`, without a slash at its end. */
export function baseUrlOf(environment: Environment): string {
  if (!known) throw new Error('the page has not said where the hosts are')
  return known[environment].replace(/\/+$/, '')
}

const Shown = createContext<Environment | undefined>(undefined)
export const InEnvironment = Shown.Provider

export function useEnvironment(): Environment {
  const environment = useContext(Shown)
  if (!environment) throw new Error('this is shown within an environment only')
  return environment
}
