import { Outage } from './outage.ts'

/** What the service uses over a network or on a disk, and can be without for a time. */
export type Dependency =
  | 'database'
  | 'replica'
  | 'redis'
  | 'object_store'
  | 'mail_server'
  | 'template_vendor'
  | 'carriers'
  | 'tax_service'
  | 'wal_archive'
  | 'backup_files'

/** Told of each use of a dependency: whether it did its work. */
export type NoteUse = (dependency: Dependency, isUp: boolean) => void

/**
 * The same tool, which also tells how each use by these methods went. A refusal or an empty answer shows that the dependency is up; only
 * an Outage shows that it is not.
 */
export function noteUses<Tool extends object, Method extends keyof Tool>(
  tool: Tool,
  methods: readonly Method[],
  note: (isUp: boolean) => void,
): Tool {
  const noted = methods.map((method) => {
    const ask = (tool[method] as (...given: unknown[]) => Promise<unknown>).bind(tool)
    const askAndNote = async (...given: unknown[]): Promise<unknown> => {
      try {
        const answer = await ask(...given)
        note(true)
        return answer
      } catch (error) {
        if (error instanceof Outage) note(false)
        throw error
      }
    }
    return [method, askAndNote]
  })
  return { ...tool, ...Object.fromEntries(noted) }
}
