import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardRules as card } from '../../../test/artwork/profiles.ts'
import { noArtworkRules, type ArtworkProfile } from '../../vocabulary/artwork.ts'
import type { ArtworkSource } from '../../vocabulary/product-kinds.ts'
import { requirementSentences } from './requirement-sentences.ts'

const upload = (types: readonly string[]) => ({ types, artworkSource: 'UPLOAD' as const, digitalDelivery: false })

const said = (rules: Partial<ArtworkProfile>): string[] =>
  requirementSentences({ ...noArtworkRules, ...rules }, upload(['application/pdf'])).slice(1)

test('the rules of a card are told in inches, millimetres and points', () => {
  assert.deepEqual(said(card), [
    'The finished piece is 3.5 × 2 in (88.9 × 50.8 mm).',
    'Let backgrounds and pictures run 0.125 in (3.2 mm) beyond the edge on every side, so that the page is 3.75 × 2.25 in (95.3 × 57.2 mm).',
    'Keep texts and logos at least 0.125 in (3.2 mm) inside the edge.',
    'A file has 1 to 2 pages.',
    'Images have 225 pixels per inch or more at the size in which they are printed; with fewer than 150 the file needs a change.',
    'The inks at one place add up to at most 300 %.',
    'Type is 5 pt or larger.',
    'Lines are at least 0.25 pt thick.',
  ])
})

test('the types that a product takes have the names people use', () => {
  assert.deepEqual(requirementSentences(noArtworkRules, upload(['application/pdf', 'image/svg+xml', 'image/tiff'])), [
    'Send PDF, SVG or TIFF.',
  ])
  assert.deepEqual(requirementSentences(noArtworkRules, upload(['image/png'])), ['Send PNG.'])
})

test('where there is no rule, nothing is said', () => {
  assert.deepEqual(said({}), [])
  assert.deepEqual(said({ pagesMultiple: 1 }), [])
})

test('a rule without its counterpart is told alone', () => {
  for (const [rules, sentence] of [
    [{ bleed: 9 }, 'Let backgrounds and pictures run 0.125 in (3.2 mm) beyond the edge on every side.'],
    [{ pagesMin: 1, pagesMax: 1 }, 'A file has 1 page.'],
    [{ pagesMin: 8, pagesMax: 96, pagesMultiple: 4 }, 'A file has 8 to 96 pages, in multiples of 4.'],
    [{ pagesMin: 8 }, 'A file has at least 8 pages.'],
    [{ pagesMax: 1 }, 'A file has at most 1 page.'],
    [{ pagesMultiple: 4 }, 'The pages of a file are a multiple of 4.'],
    [{ imagePpiWarn: 72 }, 'Images have 72 pixels per inch or more at the size in which they are printed.'],
    [{ imagePpiError: 150 }, 'Images have 150 pixels per inch or more at the size in which they are printed.'],
  ] as const) {
    assert.deepEqual(said(rules), [sentence])
  }
})

test('a product that needs no print file says so, and where its file comes from', () => {
  const types = ['application/pdf', 'image/png']
  const need = (artworkSource: ArtworkSource, digitalDelivery = false) =>
    requirementSentences(noArtworkRules, { types, artworkSource, digitalDelivery })
  assert.deepEqual(need('NONE'), ['No print file is needed. For decoration on request, send PDF or PNG.'])
  assert.deepEqual(need('NONE', true), ['No print file is needed: the product is delivered digitally.'])
  assert.deepEqual(need('TEMPLATE'), [
    "No print file is needed: the product's template makes it from the templateVariables of the order line.",
    'To have a file of your own printed instead, send PDF or PNG.',
  ])
  assert.deepEqual(need('ON_FILE'), [
    'No print file is needed: the one on file is printed.',
    'To have another printed instead, send PDF or PNG.',
  ])
  for (const source of ['UPLOAD', 'UNKNOWN'] as const) assert.deepEqual(need(source, true), ['Send PDF or PNG.'])
})
