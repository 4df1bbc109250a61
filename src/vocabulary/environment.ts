/**
 * The two environments that the service runs side by side, with the same code and separate databases, tokens and hosts.
 */
export type Environment = 'PRODUCTION' | 'SANDBOX'
