import { type Expected, hasNull, isEmpty, refused } from './expected.ts'

/** In-memory model of the specified users and divisions of one site. */

export type ModelUser = {
  userId: number
  username: string
  email: string
  firstName: string
  company: string | null
  active: boolean
  divisionId: number | null
  allSegmentsVisible: boolean
  /** by id; true if a rule assigned it */
  segments: Map<number, boolean>
}

export type ModelDivision = {
  divisionId: number
  name: string
  code: string
  parentId: number | null
  active: boolean
}

export type AccountModel = {
  users: ModelUser[]
  divisions: ModelDivision[]
  siteSegmentIds: readonly number[]
  rules: { segmentId: number; applies: (user: Pick<ModelUser, 'email' | 'divisionId'>) => boolean }[]
}

export type NewUserWish = Pick<ModelUser, 'username' | 'email' | 'firstName' | 'divisionId'> & { active?: boolean }
export type UserWish = Partial<Pick<ModelUser, 'firstName' | 'company' | 'divisionId'>> & {
  email?: string | null
  active?: boolean | null
}
export type DivisionWish = Partial<Pick<ModelDivision, 'code' | 'parentId' | 'active'>> & { name?: string | null }

const levelsMax = 10

export function userListed(user: ModelUser) {
  const { userId, username, email, firstName, company, active, divisionId, allSegmentsVisible } = user
  return { userId, username, email, firstName, company, active, divisionId, allSegmentsVisible }
}

export function userShown(user: ModelUser) {
  const segments = [...user.segments]
    .map(([segmentId, autoAssigned]) => ({ segmentId, autoAssigned }))
    .toSorted((a, b) => a.segmentId - b.segmentId)
  return { ...userListed(user), segments }
}

/** The user that the call creates. Only the service knows the id. */
export function createUser(model: AccountModel, wish: NewUserWish): Expected<Omit<ModelUser, 'userId'>> {
  if (!isAcceptableEmail(wish.email)) return refused(400, 'monolith_rejected')
  const isTaken = model.users.some((user) => isSame(user.username, wish.username) || isSame(user.email, wish.email))
  if (isTaken) return refused(409, 'user_already_exists')
  if (!hasDivision(model, wish.divisionId)) return refused(422, 'division_not_on_site')
  const user = { company: null, active: true, allSegmentsVisible: false, ...wish, segments: new Map<number, boolean>() }
  applyRules(model, user)
  return { body: user }
}

export function patchUser(
  model: AccountModel,
  user: ModelUser | undefined,
  wish: UserWish,
): Expected<ReturnType<typeof userShown>> {
  if (hasNull(wish, ['email', 'active'])) return refused(400, 'null_not_supported')
  if (isEmpty(wish)) return refused(400, 'invalid_request')
  if (!user) return refused(404, 'user_not_found')
  if (wish.firstName === '') return refused(400, 'monolith_rejected')
  const { email } = wish
  if (typeof email === 'string') {
    const isTaken = model.users.some((other) => other !== user && isSame(other.email, email))
    if (!isAcceptableEmail(email)) return refused(400, 'monolith_rejected')
    if (isTaken) return refused(409, 'user_already_exists')
  }
  if (!hasDivision(model, wish.divisionId ?? null)) return refused(422, 'division_not_on_site')
  const before = { ...user }
  Object.assign(user, wish)
  if (user.email !== before.email || user.divisionId !== before.divisionId) applyRules(model, user)
  return { body: userShown(user) }
}

export function putUserSegments(
  model: AccountModel,
  user: ModelUser | undefined,
  { segmentIds, acknowledged }: { segmentIds: readonly number[]; acknowledged: boolean },
): Expected<ReturnType<typeof userShown>> {
  if (!user) return refused(404, 'user_not_found')
  if (user.allSegmentsVisible && !acknowledged) return refused(409, 'all_segments_visible_reset_not_acknowledged')
  if (segmentIds.some((id) => !model.siteSegmentIds.includes(id))) return refused(422, 'segment_not_on_site')
  const missesRuled = [...user.segments].some(([id, auto]) => auto && !segmentIds.includes(id))
  if (missesRuled) return refused(409, 'auto_assigned_segments_present')
  user.allSegmentsVisible = false
  user.segments = new Map(segmentIds.map((id) => [id, user.segments.get(id) ?? false]))
  return { body: userShown(user) }
}

export function createDivision(
  model: AccountModel,
  wish: Pick<ModelDivision, 'name' | 'code' | 'parentId'>,
): Expected<Omit<ModelDivision, 'divisionId'>> {
  if (!hasDivision(model, wish.parentId)) return refused(422, 'parent_not_on_site')
  if (levelOf(model, wish.parentId) + 1 > levelsMax) return refused(422, 'division_parent_invalid')
  if (model.divisions.some(({ code }) => isSame(code, wish.code))) return refused(409, 'division_code_conflict')
  return { body: { ...wish, active: true } }
}

export function patchDivision(
  model: AccountModel,
  division: ModelDivision | undefined,
  wish: DivisionWish,
): Expected<ModelDivision> {
  if (hasNull(wish, ['name'])) return refused(400, 'null_not_supported')
  if (isEmpty(wish)) return refused(400, 'invalid_request')
  if (!division) return refused(404, 'division_not_found')
  const { parentId = division.parentId, code = division.code } = wish
  if (parentId === division.divisionId) return refused(422, 'parent_is_self')
  if (parentId !== division.parentId && parentId !== null) {
    if (!hasDivision(model, parentId)) return refused(422, 'parent_not_on_site')
    const isBelowItself = lineTo(model, parentId).includes(division.divisionId)
    if (isBelowItself || levelOf(model, parentId) + heightOf(model, division.divisionId) > levelsMax) {
      return refused(422, 'division_parent_invalid')
    }
  }
  if (model.divisions.some((other) => other !== division && isSame(other.code, code))) {
    return refused(409, 'division_code_conflict')
  }
  Object.assign(division, wish)
  return { body: division }
}

function applyRules(model: AccountModel, user: Omit<ModelUser, 'userId'>): void {
  const asked = model.rules.filter(({ applies }) => applies(user)).map(({ segmentId }) => segmentId)
  for (const [id, auto] of user.segments) if (auto && !asked.includes(id)) user.segments.delete(id)
  for (const id of asked) if (!user.segments.has(id)) user.segments.set(id, true)
}

function hasDivision(model: AccountModel, divisionId: number | null): boolean {
  return divisionId === null || model.divisions.some((each) => each.divisionId === divisionId)
}

/** The division and all its ancestors. */
function lineTo(model: AccountModel, divisionId: number | null): number[] {
  if (divisionId === null) return []
  const { parentId } = model.divisions.find((each) => each.divisionId === divisionId)!
  return [divisionId, ...lineTo(model, parentId)]
}

function levelOf(model: AccountModel, divisionId: number | null): number {
  return lineTo(model, divisionId).length
}

function heightOf(model: AccountModel, divisionId: number): number {
  const below = model.divisions.filter((each) => each.parentId === divisionId)
  return 1 + Math.max(0, ...below.map((each) => heightOf(model, each.divisionId)))
}

/** Usernames, addresses and codes compare equal in any letter case, Unicode composition and with spaces around them. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.normalize('NFC').toLowerCase().trim())
  return a === b
}

function isAcceptableEmail(email: string): boolean {
  return email.includes('@')
}
