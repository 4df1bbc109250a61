import { Type } from 'typebox'
import {
  bodyObject,
  described,
  filledLineUpTo,
  flag,
  formedText,
  lineUpTo,
  nullable,
  oneOf,
  record,
  text,
} from '../../contract/fields.ts'
import {
  reasonCodeForm,
  reasonCodeMax,
  reasonDescriptionMax,
  reasonLabelMax,
  reasonsMax,
} from '../../platform/reasons/keep-reasons.ts'
import { reasonKinds } from '../../platform/reasons/reasons.ts'
import { artworkSources } from '../../vocabulary/product-kinds.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const onlyOnSource = 'of declines: offered only on lines with artwork from there; null = on every line'

const ReasonList = record('ReasonList', {
  kind: oneOf(reasonKinds),
  reasons: Type.Array(
    record('Reason', {
      code: text,
      label: described(text, 'what people choose by'),
      description: nullable(described(text, 'shown beside the label, such as to partners who decline a proof')),
      artworkSource: nullable(described(oneOf(artworkSources), onlyOnSource)),
      active: described(flag, 'false = no longer offered'),
      used: described(flag, 'a decision named it, so it can be switched off but not removed'),
    }),
    { description: 'in the sequence in which people are offered them' },
  ),
})

const listed = 'of this list, so that its order is the sequence in which people are offered them'

export const reasons = staffSubject({
  name: 'Reasons',
  says: 'The reasons that staff choose from when they decide about an order: a list for each kind of decision, the same for all sites of the environment.',
  problems: {
    reasons_not_usable: [422, 'A reason of the list is not usable.'],
    reason_in_use: [409, 'A decision named a reason that is left out. Keep it in the list, with active false.'],
  },
  operations: {
    readReasons: staffOperation({
      id: 'readReasons',
      at: 'GET /staff/v1/{environment}/reasons/{reasonKind}',
      permission: 'orders:read',
      answers: { 200: ReasonList },
      refuses: [],
      says: 'Shows the reasons of one kind of decision, those switched off too.',
    }),
    replaceReasons: staffOperation({
      id: 'replaceReasons',
      at: 'PUT /staff/v1/{environment}/reasons/{reasonKind}',
      revises: 'readReasons',
      permission: 'orders:override',
      body: {
        schema: bodyObject({
          reasons: Type.Array(
            bodyObject({
              code: formedText(reasonCodeForm, 'capital letters, digits and underscores, such as MACHINE_DOWN', {
                maxLength: reasonCodeMax,
                description: 'stays with what was decided; give a reason that means something else another code',
              }),
              label: described(filledLineUpTo(reasonLabelMax), 'what people choose by'),
              description: Type.Optional(nullable(lineUpTo(reasonDescriptionMax))),
              artworkSource: Type.Optional(nullable(described(oneOf(artworkSources), onlyOnSource))),
              active: Type.Optional(described(flag, 'false = no longer offered; left out = true')),
            }),
            { maxItems: reasonsMax, description: listed },
          ),
        }),
      },
      answers: { 200: ReasonList },
      refuses: ['reasons_not_usable', 'reason_in_use'],
      says: 'Replaces the reasons of one kind of decision. A reason that a decision named stays in the list, and can be switched off.',
    }),
  },
})
