import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { publishOpenapi } from '../src/publish/openapi.ts'
import { chapters } from '../src/resources/api.ts'

/**
 * Writes the OpenAPI document that is kept in the repository, so that a change of the contract shows as a diff.
 * `--check` writes nothing and fails when the document is not what the contract gives.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const file = new URL('../openapi/partner-commerce.json', import.meta.url)

const hosts = {
  baseUrl: 'https://api.partner-commerce.test',
  mtlsBaseUrl: 'https://mtls.partner-commerce.test',
  sandboxBaseUrl: 'https://sandbox.partner-commerce.test',
}
const document = `${JSON.stringify(publishOpenapi(chapters, hosts), null, 2)}\n`

if (!values.check) {
  await writeFile(file, document)
} else if ((await readFile(file, 'utf8').catch(() => '')) !== document) {
  process.stderr.write('openapi/partner-commerce.json is not what the contract gives: run bin/publish-contract.ts\n')
  process.exitCode = 1
}
