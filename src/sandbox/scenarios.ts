import { magicInputs } from './magic-inputs.ts'
import { misbehaviours } from './misbehaviour.ts'
import { plan } from './plan.ts'
import { stepNames, steps } from './steps.ts'

/** What can be made to happen in the sandbox, and what happens by itself. */
export const scenarios = {
  steps: stepNames.map((step) => ({ step, ofLine: steps[step].ofLine, says: steps[step].says })),
  plan: plan.map((planned) => ({ ...planned })),
  magicInputs: magicInputs.map(({ field, value, effect }) => ({ field, value, effect })),
  misbehaviours: misbehaviours.map((each) => ({ ...each })),
}
