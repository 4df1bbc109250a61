import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesToProve, signedFor, type ProvableFile, type ProvedFinding } from './files-to-prove.ts'

const dayOf = (day: number) => `2026-03-${String(day).padStart(2, '0')}T12:00:00Z`

function file(printFileId: number, given: Partial<ProvableFile> = {}): ProvableFile {
  const fileName = `${printFileId}.pdf`
  return { printFileId, fileName, status: 'passed', attachedOn: dayOf(printFileId), pageCount: 1, ...given }
}

function idsOf(files: readonly ProvableFile[], provedOn: string | null = null, pagesMax: number | null = null) {
  const chosen = filesToProve(files, provedOn, pagesMax)
  return 'refused' in chosen ? chosen.refused : chosen.files.map(({ printFileId }) => printFileId)
}

const faulty = { status: 'needs_changes' } as const

test('a line without files has nothing to show, which stands against nothing', () => {
  assert.deepEqual(idsOf([]), [])
})

test('several files are shown in the order in which they came', () => {
  assert.deepEqual(idsOf([file(1), file(2), file(3)]), [1, 2, 3])
})

test('while a file waits for its inspection or is inspected, there is no proof', () => {
  for (const status of ['queued', 'inspecting'] as const) {
    assert.equal(idsOf([file(1), file(2, { status })]), 'artwork_being_inspected')
    assert.equal(idsOf([file(1, { status }), file(2)]), 'artwork_being_inspected')
  }
})

test('the newest file must have no errors; a faulty one before it is what it mends', () => {
  assert.equal(idsOf([file(1), file(2, faulty)]), 'artwork_needs_changes')
  assert.equal(idsOf([file(1), file(2, { status: 'unreadable' })]), 'artwork_needs_changes')
  assert.deepEqual(idsOf([file(1, faulty), file(2)]), [2])
})

test('a later file counts for an earlier one of the same name', () => {
  assert.deepEqual(idsOf([file(1, { fileName: 'card.pdf' }), file(2), file(3, { fileName: 'card.pdf' })]), [2, 3])
})

test('the newest files count, as long as the product has so many pages', () => {
  assert.deepEqual(idsOf([file(1), file(2), file(3)], null, 2), [2, 3])
  assert.deepEqual(idsOf([file(1, { pageCount: 2 }), file(2, { pageCount: 2 })], null, 2), [2])
  assert.deepEqual(idsOf([file(1, { pageCount: 5 })], null, 2), [1])
})

test('files that came since the last proof count alone; if none came, those that the line had', () => {
  assert.deepEqual(idsOf([file(1), file(2)], dayOf(1)), [2])
  assert.deepEqual(idsOf([file(1), file(2)], dayOf(2)), [1, 2])
})

test('what is signed for is named by code and page; warnings are not signed for', () => {
  const finding = (code: ProvedFinding['code'], severity: ProvedFinding['severity'], page: number | null) => ({
    code,
    severity,
    page,
    subject: null,
    message: 'It is so.',
    fileName: 'card.pdf',
  })
  const findings = [
    finding('rgb_used', 'sign_off', 1),
    finding('hairline', 'warning', 1),
    finding('xfa_form', 'sign_off', null),
  ]
  assert.equal(signedFor(findings), 'rgb_used on page 1, xfa_form')
})
