/** The two worlds the service runs side by side: separate databases, tokens and hosts, one code. */
export type Environment = 'PRODUCTION' | 'SANDBOX'
