import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { methodOf, pathOf } from '../../src/contract/operation.ts'
import { api } from '../../src/resources/api.ts'
import { staffApi } from '../../src/staff/api.ts'
import { partner } from '../world/partner.ts'
import { testService } from '../world/service.ts'

/** Only staff can perform staff operations: no route open to partners performs one. */

const service = await testService()

test('STF-15 the partner hosts serve no operation of the staff API, whatever the token', async () => {
  for (const key of ['primary', 'sandbox'] as const) {
    const caller = await partner(service, key)
    for (const entry of Object.values(staffApi)) {
      const path = pathOf(entry)
        .replaceAll('{environment}', 'production')
        .replaceAll(/\{\w+\}/g, '1')
      for (const at of [path, path.replace('/staff/v1/production', '/v1')]) {
        const method = methodOf(entry)
        const isPartners = Object.values(api).some((each) => formOf(each).test(at))
        if (isPartners) continue
        const answer = await caller.call(method, at, method === 'GET' ? undefined : {})
        assert.deepEqual([answer.status, answer.body.code], [404, 'route_not_found'], `${key} ${method} ${at}`)
      }
    }
  }
})

function formOf(entry: { at: string }): RegExp {
  return new RegExp(`^${entry.at.split(' ')[1]!.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

test('STF-15 partners can make changes with these operations and no others', () => {
  const changing = Object.values(api).filter(({ at }) => !at.startsWith('GET '))
  assert.deepEqual(changing.map(({ id }) => id).toSorted(), [
    'approveProof',
    'attachArtwork',
    'createArtworkCheck',
    'createDivision',
    'createUser',
    'declineProof',
    'quoteOrder',
    'quoteProduct',
    'quoteShipping',
    'replaceProductSegments',
    'replaceUserSegments',
    'reserveArtworkUpload',
    'submitOrder',
    'updateDivision',
    'updateProduct',
    'updateProductImage',
    'updateUser',
    'updateVariant',
  ])
})

/** The production source files between partners and the platform. */
const partnerFacing = globSync('src/{resources,auth,http,gateway,mcp,mutual-tls}/**/*.ts').filter(
  (file) => !file.endsWith('.test.ts'),
)

/** The modules with the verbs that set up partners, move orders, register endpoints and manage staff. */
const staffVerbs =
  /^src\/(?:partners\/(?:partners|certificates|people|end-sign-ins|sign-in-clients)\.ts|webhooks\/|staff\/|platform\/(?:orders|order-changes|lines|proofs|shipments|print-files)\/|platform\/artwork\/(?:waive-finding|inspect-again)\.ts)/

test('STF-15 partner-facing code can call these staff verbs and no others', () => {
  assert.ok(partnerFacing.length > 100)
  const called = new Set<string>()
  for (const file of partnerFacing) {
    for (const [, names, from] of readFileSync(file, 'utf8').matchAll(
      /import ((?:type )?(?:\{[^}]*\}|[\w* ]+)) from '(\.[^']+)'/g,
    )) {
      const target = join(dirname(file), from!)
      if (!staffVerbs.test(target) || names!.startsWith('type ')) continue
      assert.match(names!, /^\{/, `${file} takes all of ${target}`)
      for (const name of names!.replaceAll(/[{}\s]/g, ' ').split(',')) {
        if (name.trim() !== '' && !name.trim().startsWith('type '))
          called.add(`${target} ${name.trim().split(' as ')[0]}`)
      }
    }
  }
  assert.deepEqual([...called].toSorted(), [
    'src/partners/certificates.ts trustedCertificates',
    'src/partners/certificates.ts truststoreChannel',
    'src/partners/end-sign-ins.ts endSignIns',
    'src/partners/partners.ts proveAppClient',
    'src/partners/people.ts askPasswordReset',
    'src/partners/people.ts findByLink',
    'src/partners/people.ts setPasswordByLink',
    'src/partners/sign-in-clients.ts findSignInClient',
    'src/platform/print-files/attach-print-file.ts attachPrintFile',
    'src/platform/print-files/reserve-upload.ts reserveUpload',
    'src/platform/proofs/decide-proof.ts approveProof',
    'src/platform/proofs/decide-proof.ts declineProof',
    'src/platform/proofs/denial-reasons.ts denialReasonsOfLine',
    'src/platform/proofs/denial-reasons.ts offeredReasons',
  ])
})
