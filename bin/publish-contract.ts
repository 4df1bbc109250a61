import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { developerChapters } from '../src/developer/contract.ts'
import { publishDeveloperOpenapi } from '../src/publish/developer-openapi.ts'
import { publishOpenapi } from '../src/publish/openapi.ts'
import { publishSandboxOpenapi } from '../src/publish/sandbox-openapi.ts'
import { publishStaffOpenapi } from '../src/publish/staff-openapi.ts'
import { chapters } from '../src/resources/api.ts'
import { controlChapters } from '../src/sandbox/control/contract.ts'
import { staffContract } from '../src/staff/api.ts'

/**
 * Writes the OpenAPI documents of the repository, so that a change of a contract shows as a diff. `--check` writes
 * nothing and fails when a document differs from its contract.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

const hosts = {
  baseUrl: 'https://api.partner-commerce.test',
  mtlsBaseUrl: 'https://mtls.partner-commerce.test',
  sandboxBaseUrl: 'https://sandbox.partner-commerce.test',
}
const documents = {
  'openapi/partner-commerce.json': publishOpenapi(chapters, hosts),
  'openapi/developer.json': publishDeveloperOpenapi(developerChapters, hosts),
  'openapi/sandbox.json': publishSandboxOpenapi(controlChapters, hosts.sandboxBaseUrl),
  'openapi/staff.json': publishStaffOpenapi(staffContract, 'https://staff.partner-commerce.test'),
}

for (const [path, document] of Object.entries(documents)) {
  const file = new URL(`../${path}`, import.meta.url)
  const text = `${JSON.stringify(document, null, 2)}\n`
  if (!values.check) {
    await writeFile(file, text)
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`${path} differs from the contract: run bin/publish-contract.ts\n`)
    process.exitCode = 1
  }
}

// The Python client is one file, and holds the table of operations itself. It is made from what was just written.
const { withOperations } = await import('../clients/python/build/operations.ts')
const client = new URL('../clients/python/partner_commerce.py', import.meta.url)
const program = await readFile(client, 'utf8')
if (!values.check) {
  await writeFile(client, withOperations(program))
} else if (program !== withOperations(program)) {
  process.stderr.write('clients/python/partner_commerce.py differs from the contract: run bin/publish-contract.ts\n')
  process.exitCode = 1
}
