import type { Exchange, PageRequest } from './exchange.ts'
import type { StepForm } from './pages/proof-pages.ts'
import type { SignInProvider } from './provider.ts'

export type Interaction = Awaited<ReturnType<SignInProvider['library']['interactionDetails']>>

/** One step of a sign-in, as its page or its form needs it. */
export type Step = {
  interaction: Interaction
  exchange: Exchange
  library: SignInProvider['library']
  request: PageRequest
  form: StepForm
}
