import { accounts } from './accounts/contract.ts'
import { afterSale } from './after-sale/contract.ts'
import { artworkInspections } from './artwork/contract.ts'
import { brands } from './brands/contract.ts'
import { documents } from './documents/contract.ts'
import { audit } from './audit/contract.ts'
import { changes } from './changes/contract.ts'
import type { StaffContract } from '../publish/staff-openapi.ts'
import { staffExamples } from './examples.ts'
import { staffProblemsOf, type StaffOperation, type StaffSubject } from './operation.ts'
import { mails } from './mails/contract.ts'
import { onboarding } from './onboarding/contract.ts'
import { orders } from './orders/contract.ts'
import { staffPathParameters } from './parameters.ts'
import { catalog } from './catalog/contract.ts'
import { csvFiles } from './csv-files/contract.ts'
import { images } from './images/contract.ts'
import { partners } from './partners/contract.ts'
import { stock } from './stock/contract.ts'
import { prices } from './prices/contract.ts'
import { mergedProblems } from './problems.ts'
import { linesInProduction } from './production/contract.ts'
import { proofs } from './proofs/contract.ts'
import { requests } from './requests/contract.ts'
import { session } from './session/contract.ts'
import { shipping } from './shipping/contract.ts'
import { submissions } from './submissions/contract.ts'
import { sandbox } from './sandbox/contract.ts'
import { search } from './search/contract.ts'
import { sites } from './sites/contract.ts'
import { tax } from './tax/contract.ts'
import { shipments } from './shipments/contract.ts'
import { notes } from './notes/contract.ts'
import { reasons } from './reasons/contract.ts'
import { webhooks } from './webhooks/contract.ts'
import { bulk } from './bulk/contract.ts'
import { views } from './views/contract.ts'
import { works } from './works/contract.ts'
import { users } from './users/contract.ts'
import { addresses } from './addresses/contract.ts'
import { divisions } from './divisions/contract.ts'
import { segments } from './segments/contract.ts'
import { credit } from './credit/contract.ts'
import { people } from './people/contract.ts'
import { privacy } from './privacy/contract.ts'
import { signInClients } from './sign-in-clients/contract.ts'

/** The staff API's table of contents: one line per subject. */
export const staffSubjects = {
  session,
  accounts,
  views,
  partners,
  sandbox,
  webhooks,
  audit,
  changes,
  search,
  submissions,
  requests,
  onboarding,
  works,
  bulk,
  orders,
  linesInProduction,
  artworkInspections,
  proofs,
  shipments,
  documents,
  reasons,
  notes,
  afterSale,
  sites,
  brands,
  catalog,
  stock,
  prices,
  images,
  csvFiles,
  shipping,
  tax,
  users,
  addresses,
  divisions,
  segments,
  credit,
  people,
  privacy,
  signInClients,
  mails,
} satisfies Record<string, StaffSubject>

const subjects: readonly StaffSubject[] = Object.values(staffSubjects)

/** By id. */
export const staffApi: Readonly<Record<string, StaffOperation>> = Object.fromEntries(
  subjects.flatMap(({ operations }) => Object.values(operations).map((entry) => [entry.id, entry])),
)

export const staffProblems = mergedProblems(subjects.map(({ problems }) => problems))

/** As it is published. */
export const staffContract: StaffContract = {
  chapters: subjects,
  problems: staffProblems,
  problemsOf: (id) => staffProblemsOf(staffApi[id]!),
  pathParameters: staffPathParameters,
  examples: staffExamples,
}
