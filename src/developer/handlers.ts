import { paired, type Handlers, type Paired } from '../contract/operation.ts'
import { accountHandlers } from './account.ts'
import { developer } from './contract.ts'
import { requestHandlers } from './requests.ts'
import { webhookHandlers } from './webhooks.ts'

type DeveloperParts = Parameters<typeof accountHandlers>[0]

/** Every operation of the developer API with its handler, in the contract's order. */
export function developerOperations(parts: DeveloperParts): Paired[] {
  const handlers: Handlers<typeof developer> = {
    ...requestHandlers(parts),
    ...webhookHandlers(parts),
    ...accountHandlers(parts),
  }
  return paired(developer, handlers)
}
