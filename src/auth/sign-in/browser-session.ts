import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { openExchange, type PageRequest } from './exchange.ts'
import type { SignInProvider } from './provider.ts'

/** The session of the browser that sends a request; without `accountId` nobody is signed in. */
export async function browserSession(
  { library }: SignInProvider,
  baseUrl: string,
  method: 'GET' | 'POST',
  request: PageRequest,
) {
  const exchange = openExchange(baseUrl, method, { ...request, body: Buffer.alloc(0) })
  const context = library.createContext(exchange.request, exchange.response)
  return library.Session.get(context as Parameters<typeof library.Session.get>[0])
}

/** undefined when the person may not sign in any more */
export async function usernameOf(queries: Queries, personId: string): Promise<string | undefined> {
  const person = await queries.row<{ username: string }>(sql`
    select username from partner_person where person_id = ${personId} and disabled_on is null`)
  return person?.username
}
