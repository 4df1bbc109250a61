import type { Settings } from './settings.ts'

/** What a process does: it answers requests, does background work, or both. */
export type Duties = { answers: boolean; works: boolean }

const dutiesOfRoles: Readonly<Record<Settings['role'], Duties>> = {
  all: { answers: true, works: true },
  api: { answers: true, works: false },
  worker: { answers: false, works: true },
}

export function dutiesOf(settings: Pick<Settings, 'role'>): Duties {
  return dutiesOfRoles[settings.role]
}
