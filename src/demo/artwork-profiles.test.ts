import assert from 'node:assert/strict'
import { test } from 'node:test'
import { artworkProfileFault } from '../platform/catalog/artwork-profile.ts'
import { noArtworkRules } from '../vocabulary/artwork.ts'
import { artworkProfiles } from './artwork-profiles.ts'
import { castCatalog } from './cast/catalog.ts'
import { crowdCatalog } from './crowd/catalog.ts'

const now = new Date()
const segmentIds = new Map(Array.from({ length: 10 }, (_, index) => [index + 1, [1, 2, 3]] as const))

test('the rules of every demo product are rules that staff could have given it', () => {
  for (const [name, profile] of Object.entries(artworkProfiles))
    assert.equal(artworkProfileFault(profile), undefined, name)
})

test('every demo product that is printed from a file of its own has a size, or is engraved', () => {
  const sold = [...Object.values(castCatalog(now)), ...crowdCatalog(now, segmentIds)]
  const sizeless = sold
    .filter(({ artworkSource }) => ['UPLOAD', 'TEMPLATE', 'ON_FILE'].includes(artworkSource))
    .filter(({ artworkProfile = noArtworkRules }) => artworkProfile.trimWidth === null)
    .map(({ code }) => code)
  assert.deepEqual(sizeless, ['AWARD-ENG'])
})
