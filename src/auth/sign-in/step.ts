import type { Exchange, PageRequest } from './exchange.ts'
import type { StepForm } from './pages/proof-pages.ts'
import type { SignInProvider } from './provider.ts'

export type Interaction = Awaited<ReturnType<SignInProvider['library']['interactionDetails']>>

/** One step of a sign-in, with what its page or its form needs. */
export type Step = {
  interaction: Interaction
  exchange: Exchange
  library: SignInProvider['library']
  request: PageRequest
  form: StepForm
}
