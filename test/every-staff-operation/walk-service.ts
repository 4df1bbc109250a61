import { after } from 'node:test'
import { startEasyPost } from '../world/outside-companies.ts'
import { testService, type TestService } from '../world/service.ts'

/** The service to which samples are sent: it has an account at carriers, but not in the sandbox. */
export async function walkService(): Promise<TestService> {
  const easyPost = await startEasyPost()
  after(() => easyPost.close())
  return testService({ variables: { EASYPOST_URL: easyPost.url, EASYPOST_API_KEY: easyPost.key } })
}
