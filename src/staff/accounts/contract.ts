import { Type } from 'typebox'
import {
  bodyObject,
  described,
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
import { passwordForm } from '../../vocabulary/password.ts'
import { staffRoles } from '../../vocabulary/staff-roles.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const roles = Type.Array(oneOf(staffRoles), { maxItems: staffRoles.length })

export const StaffAccountView = record('StaffAccount', {
  staffId: uuid,
  username: text,
  roles,
  disabledOn: nullable(described(instant, 'null = may sign in')),
  passwordSetOn: instant,
  createdOn: instant,
  updatedOn: instant,
})

const password = textUpTo(400)

export const accounts = staffSubject({
  name: 'Staff accounts',
  says: 'Staff accounts and their roles. At least one enabled account is always an ADMIN.',
  problems: {
    staff_not_found: [404, 'No such staff account.'],
    username_taken: [409, 'The username is already used.'],
    last_admin: [409, 'This is the last enabled ADMIN. Give the role to another account first.'],
    username_not_usable: [422, 'A username has 2 to 60 letters, digits, dots, dashes or underscores.'],
    password_not_usable: [422, passwordForm],
  },
  operations: {
    listStaffAccounts: staffOperation({
      id: 'listStaffAccounts',
      at: 'GET /staff/v1/accounts',
      permission: 'staff:read',
      query: paged({ default: 50, max: 200 }),
      collection: 'accounts',
      answers: { 200: pageOf('StaffAccountPage', 'accounts', StaffAccountView) },
      refuses: [],
      says: 'Lists staff accounts by username.',
    }),
    createStaffAccount: staffOperation({
      id: 'createStaffAccount',
      at: 'POST /staff/v1/accounts',
      permission: 'staff:write',
      body: { schema: bodyObject({ username: textUpTo(200), password, roles }) },
      answers: { 201: StaffAccountView },
      refuses: ['username_not_usable', 'password_not_usable', 'username_taken'],
      says: 'Creates a staff account.',
    }),
    setStaffRoles: staffOperation({
      id: 'setStaffRoles',
      at: 'PUT /staff/v1/accounts/{staffId}/roles',
      revises: 'listStaffAccounts',
      permission: 'staff:write',
      body: { schema: bodyObject({ roles }) },
      answers: { 200: StaffAccountView },
      refuses: ['staff_not_found', 'last_admin'],
      says: 'Replaces the roles of an account.',
    }),
    setStaffPassword: staffOperation({
      id: 'setStaffPassword',
      at: 'PUT /staff/v1/accounts/{staffId}/password',
      revises: 'listStaffAccounts',
      permission: 'staff:write',
      body: { schema: bodyObject({ password }) },
      answers: { 200: StaffAccountView },
      refuses: ['staff_not_found', 'password_not_usable'],
      says: 'Sets the password of an account and ends its sessions.',
    }),
    disableStaffAccount: staffOperation({
      id: 'disableStaffAccount',
      at: 'POST /staff/v1/accounts/{staffId}/disable',
      permission: 'staff:write',
      answers: { 200: StaffAccountView },
      refuses: ['staff_not_found', 'last_admin'],
      says: 'Disables an account: it cannot sign in, and its sessions end.',
    }),
    enableStaffAccount: staffOperation({
      id: 'enableStaffAccount',
      at: 'POST /staff/v1/accounts/{staffId}/enable',
      permission: 'staff:write',
      answers: { 200: StaffAccountView },
      refuses: ['staff_not_found'],
      says: 'Enables a disabled account: it can sign in again.',
    }),
  },
})
