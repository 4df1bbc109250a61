import { invalidClientSays } from '../oauth/token-answers.ts'
import type { PageAnswer } from './exchange.ts'

/** Refusals of the token and revocation endpoints as the library words them, in sentences of ours. */
export function inOurWords(answer: PageAnswer): PageAnswer {
  if (answer.status < 400 || !String(answer.headers['content-type']).startsWith('application/json')) return answer
  const said = JSON.parse(answer.body) as { error: string; error_description?: string }
  const says = ownWords[said.error] ?? asSentence(said.error_description)
  return { ...answer, body: JSON.stringify({ ...said, ...(says && { error_description: says }) }) }
}

const ownWords: Readonly<Record<string, string>> = {
  invalid_client: invalidClientSays,
  invalid_grant: 'The code or refresh token is not good for this request, or no longer good.',
}

function asSentence(says: string | undefined): string | undefined {
  const missing = /^missing required parameters?\(?s?\)? (.+)$/.exec(says ?? '')?.[1]?.replaceAll("'", '')
  if (missing !== undefined) return `${missing} ${missing.includes(' ') ? 'are' : 'is'} missing.`
  return says && `${says.charAt(0).toUpperCase()}${says.slice(1).replace(/\.$/, '')}.`
}
