import { artworkChild } from './artwork-child.ts'
import { artworkPixels } from './artwork-pixels.ts'
import { artworkApis } from './artwork-apis.ts'
import { auth } from './auth.ts'
import { besideTheApi } from './beside-the-api.ts'
import { developer } from './developer.ts'
import { commandLine } from './command-line.ts'
import { documents } from './documents.ts'
import { gateway } from './gateway.ts'
import { hosts } from './hosts.ts'
import { inspections } from './inspections.ts'
import { intake } from './intake.ts'
import { labelMutants } from './labels.ts'
import { mails } from './mails.ts'
import { money } from './money.ts'
import type { Mutant } from './mutant.ts'
import { orders } from './orders.ts'
import { paperwork } from './paperwork.ts'
import { orderDesk } from './order-desk.ts'
import { pdf } from './pdf.ts'
import { reprints } from './reprints.ts'
import { requests } from './requests.ts'
import { templates } from './templates.ts'
import { webhooks } from './webhooks.ts'
import { works } from './works.ts'
import { catalog } from './catalog.ts'
import { surroundings } from './surroundings.ts'

export const mutants: readonly Mutant[] = [
  ...artworkChild,
  ...artworkApis,
  ...auth,
  ...besideTheApi,
  ...developer,
  ...commandLine,
  ...documents,
  ...gateway,
  ...hosts,
  ...inspections,
  ...intake,
  ...labelMutants,
  ...mails,
  ...money,
  ...orders,
  ...paperwork,
  ...orderDesk,
  ...pdf,
  ...webhooks,
  ...works,
  ...catalog,
  ...surroundings,
  ...reprints,
  ...requests,
  ...templates,
  ...artworkPixels,
]
