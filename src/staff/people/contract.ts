import { Type } from 'typebox'
import {
  bodyObject,
  described,
  flag,
  instant,
  nullable,
  oneOf,
  pageOf,
  record,
  text,
  textUpTo,
  uuid,
} from '../../contract/fields.ts'
import { paged } from '../../contract/parameters.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { partners } from '../partners/contract.ts'

export const PersonView = record('Person', {
  personId: uuid,
  partnerId: uuid,
  username: text,
  email: nullable(text),
  status: described(oneOf(['invited', 'active', 'disabled']), 'invited = has set no password yet'),
  invitationExpiresOn: nullable(described(instant, 'until when the last link is good; null = there is none')),
  hasSecondFactor: flag,
  lastSignedInOn: nullable(described(instant, 'null = never')),
  createdOn: instant,
})

export const InvitationView = record('Invitation', {
  personId: uuid,
  invitationUrl: described(text, 'where the person sets a password; shown only in this answer, and good once'),
  expiresOn: instant,
})

export const people = staffSubject({
  name: "Partners' people",
  says: 'People who sign in for their partner. They set their own passwords, through a link that staff send.',
  problems: {
    partner_not_found: [404, 'No such partner.'],
    partner_merged: partners.problems.partner_merged,
    person_not_found: [404, 'No such person.'],
    username_taken: [409, 'The username is already used.'],
    person_username_not_usable: [
      422,
      'A username has 2 to 100 lower-case letters, digits and . _ @ + - and begins with a letter or digit.',
    ],
    email_not_usable: [422, 'The field email must be an e-mail address such as dana@example.com.'],
  },
  operations: {
    listPeople: staffOperation({
      id: 'listPeople',
      at: 'GET /staff/v1/{environment}/partners/{partnerId}/people',
      permission: 'partners:read',
      query: paged({ default: 50, max: 200 }),
      collection: 'people',
      answers: { 200: pageOf('PersonPage', 'people', PersonView) },
      refuses: ['partner_not_found'],
      says: 'Lists the people of a partner by username.',
    }),
    invitePerson: staffOperation({
      id: 'invitePerson',
      at: 'POST /staff/v1/{environment}/partners/{partnerId}/people',
      permission: 'partners:write',
      body: {
        schema: bodyObject({
          username: described(textUpTo(200), 'may be an e-mail address; unique in any letter case'),
          email: Type.Optional(nullable(textUpTo(300))),
        }),
      },
      answers: { 201: InvitationView },
      confidential: true,
      refuses: [
        'person_username_not_usable',
        'email_not_usable',
        'partner_not_found',
        'partner_merged',
        'username_taken',
      ],
      says: 'Invites a person to sign in for a partner.',
    }),
    readPerson: staffOperation({
      id: 'readPerson',
      at: 'GET /staff/v1/{environment}/people/{personId}',
      permission: 'partners:read',
      answers: { 200: PersonView },
      refuses: ['person_not_found'],
      says: 'Shows a person of a partner.',
    }),
    inviteAgain: staffOperation({
      id: 'inviteAgain',
      at: 'POST /staff/v1/{environment}/people/{personId}/invite-again',
      permission: 'partners:write',
      answers: { 201: InvitationView },
      confidential: true,
      refuses: ['person_not_found'],
      says: 'Makes a new link for a person who lost theirs or their password. The previous link ends at once.',
    }),
    disablePerson: staffOperation({
      id: 'disablePerson',
      at: 'POST /staff/v1/{environment}/people/{personId}/disable',
      permission: 'partners:write',
      answers: { 200: PersonView },
      refuses: ['person_not_found'],
      says: 'Disables a person: their tokens get 401 from the next request on.',
    }),
    enablePerson: staffOperation({
      id: 'enablePerson',
      at: 'POST /staff/v1/{environment}/people/{personId}/enable',
      permission: 'partners:write',
      answers: { 200: PersonView },
      refuses: ['person_not_found'],
      says: 'Lets a disabled person sign in again.',
    }),
    resetSecondFactor: staffOperation({
      id: 'resetSecondFactor',
      at: 'POST /staff/v1/{environment}/people/{personId}/reset-second-factor',
      permission: 'partners:write',
      answers: { 200: PersonView },
      refuses: ['person_not_found'],
      says: 'Removes the second factor of a person who lost it, and ends their sign-ins.',
    }),
    setPartnerSecondFactor: staffOperation({
      id: 'setPartnerSecondFactor',
      at: 'PUT /staff/v1/{environment}/partners/{partnerId}/second-factor',
      revises: 'readPartner',
      permission: 'partners:write',
      body: { schema: bodyObject({ required: flag }) },
      answers: { 200: record('SecondFactorRule', { required: flag }) },
      refuses: ['partner_not_found'],
      says: "Sets whether a partner's people need a second factor. The sign-ins of people without one end, and they set it up at the next.",
    }),
  },
})
