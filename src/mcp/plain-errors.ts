/**
 * The protocol's library quotes its validator: an error whose message ends with all that it found, as JSON over many
 * lines, sometimes as a fault of the server. Such an error becomes one sentence about the first thing wrong, and a fault
 * of the parameters. Every other answer stays as it is.
 */
export async function inOneSentence(response: Response): Promise<Response> {
  const { status, headers } = response
  const body = await response.text()
  const said = body.includes('"error":{') ? (JSON.parse(body) as Answer) : undefined
  const fault = said?.error && firstFault(said.error.message)
  if (!fault) return new Response(body === '' ? null : body, { status, headers })
  return Response.json({ ...said, error: { code: invalidParams, message: sentenceOf(fault) } }, { status })
}

const invalidParams = -32602

type Answer = { error?: { message: string } }
type Fault = { path: readonly (string | number)[]; expected?: string }

function firstFault(message: string): Fault | undefined {
  const start = message.indexOf('[\n')
  if (start < 0) return undefined
  try {
    return (JSON.parse(message.slice(start)) as Fault[])[0]
  } catch {
    return undefined
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function sentenceOf({ path, expected }: Fault): string {
  const place = path.join('.') || 'The message'
  const kind = expected === undefined ? undefined : kinds[expected]
  return kind === undefined ? `${place} is not in the form of the protocol.` : `${place} must be ${kind}.`
}
