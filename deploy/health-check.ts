/** Ends with 0 if the process in this container answers /healthz, for images without a shell. */
const host = process.env.OPS_HOST ?? '127.0.0.1'
const port = process.env.OPS_PORT ?? '9090'
const own = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
const answer = await fetch(`http://${own}:${port}/healthz`, { signal: AbortSignal.timeout(2_500) }).catch(
  () => undefined,
)
process.exit(answer?.ok ? 0 : 1)
