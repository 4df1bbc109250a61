import { testMasterKey } from './master-key.ts'
import type { TestService } from './service.ts'
import { freshDataDir, startServiceProcess, type ServiceProcess } from './service-process.ts'

export type WorkerProcesses = {
  workers: ServiceProcess[]
  /** kills the workers that still run */
  stop: () => Promise<void>
}

/** Starts processes that run only the workers, on the databases of a service that runs only the API. */
export async function startWorkerProcesses(
  api: TestService,
  count: number,
  variables: Record<string, string> = {},
): Promise<WorkerProcesses> {
  const workers: ServiceProcess[] = []
  const folders: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (const worker of workers) worker.signal('SIGKILL')
    await Promise.all(workers.map((worker) => worker.ended))
    await Promise.all(folders.map((remove) => remove()))
  }
  try {
    for (let turn = 0; turn < count; turn++) {
      const { dataDir, remove } = await freshDataDir()
      folders.push(remove)
      workers.push(
        await startServiceProcess(dataDir, {
          ROLE: 'worker',
          DATABASE_URL: api.databases.production,
          SANDBOX_DATABASE_URL: api.databases.sandbox,
          SECRET_KEY: testMasterKey.toString('hex'),
          ...variables,
        }),
      )
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { workers, stop }
}
