import assert from 'node:assert/strict'
import { test } from 'node:test'
import { artworkProfiles } from '../artwork-profiles.ts'
import { castCatalog } from '../cast/catalog.ts'
import { crowdCatalog } from '../crowd/catalog.ts'
import { kindOfCode } from './kind-of-code.ts'

test('every demo product with a proof has artwork in its size to show on it', () => {
  const now = new Date('2026-07-01T12:00:00Z')
  const segmentIds = new Map([101, 102, 103, 104, 105].map((siteId) => [siteId, [1, 2, 3]] as const))
  const proofed = [...Object.values(castCatalog(now)), ...crowdCatalog(now, segmentIds)].filter(
    ({ requiresProof }) => requiresProof,
  )
  assert.ok(proofed.length > 500)
  for (const { code, artworkProfile } of proofed) {
    const kind = kindOfCode(code)
    assert.ok(kind, code)
    if (kind !== 'award') assert.equal(artworkProfile, artworkProfiles[kind], code)
  }
})
