import type { AnswerOf } from '../api/api.ts'

export type SandboxPartner = AnswerOf<'listSandboxPartners'>['partners'][number]
