import type { Mutant } from './mutant.ts'

const layOut = 'src/documents/text/lay-out.ts'
const layOutTest = 'src/documents/text/lay-out.test.ts'
const writerTest = 'src/documents/page-writer.test.ts'
const drawProofTest = 'src/platform/proofs/drawing/draw-proof.test.ts'
const dueTest = 'src/platform/proofs/publish-due-proofs.test.ts'
const filesTest = 'src/platform/proofs/files-to-prove.test.ts'

export const documents: readonly Mutant[] = [
  {
    says: 'right-to-left text is drawn from left to right',
    in: 'src/documents/text/shape.ts',
    from: 'buffer.setDirection(level % 2 === 1 ? Direction.RTL : Direction.LTR)',
    to: 'buffer.setDirection(Direction.LTR)',
    caughtBy: layOutTest,
  },
  {
    says: 'Thai breaks nowhere',
    in: 'src/documents/text/break-opportunities.ts',
    from: 'if (word.index > 0) ends.add(',
    to: 'if (word.index < 0) ends.add(',
    caughtBy: layOutTest,
  },
  {
    says: 'a text may order its letters to stand elsewhere',
    in: layOut,
    from: '/[\\u202a-\\u202e\\u2066-\\u206f]/g',
    to: '/[\\u2066-\\u206f]/g',
    caughtBy: layOutTest,
  },
  {
    says: 'a word is broken rather than the text made smaller',
    in: layOut,
    from: 'return isWhole && !laid.wordsBroken ? laid : undefined',
    to: 'return isWhole ? laid : undefined',
    caughtBy: layOutTest,
  },
  {
    says: 'a text that was cut counts as one that fits',
    in: layOut,
    from: 'fits: !cut && width',
    to: 'fits: width',
    caughtBy: layOutTest,
  },
  {
    says: 'the language does not decide how Chinese characters look',
    in: 'src/documents/text/shipped-fonts.ts',
    from: 'if (said) return [said,',
    to: 'if (said === undefined) return [korean,',
    caughtBy: layOutTest,
  },
  {
    says: 'a character without a font is not reported',
    in: 'src/documents/page-writer.ts',
    from: 'for (const character of laid.missing) missing.add(character)',
    to: '',
    caughtBy: writerTest,
  },
  {
    says: 'the characters of a cluster are lost to readers',
    in: 'src/documents/text/draw-text.ts',
    from: 'const told = cluster.length > 1 || !tells(',
    to: 'const told = false && !tells(',
    caughtBy: writerTest,
  },
  {
    says: 'a picture loses its transparency',
    in: 'src/documents/transparent-picture.ts',
    from: 'opacity[pixel] = data[pixel * 4 + 3]!',
    to: 'opacity[pixel] = 255',
    caughtBy: writerTest,
  },
  {
    says: 'a drawing that failed fails the next one',
    in: 'src/documents/draw-apart.ts',
    from: 'last = drawn.catch(() => undefined)',
    to: 'last = drawn',
    caughtBy: 'src/documents/draw-apart.test.ts',
  },
  {
    says: 'a thread whose drawing never ends is given the next one',
    in: 'src/documents/draw-apart.ts',
    from: `      endThread()
      late.reject(`,
    to: `      late.reject(`,
    caughtBy: 'src/documents/draw-apart.test.ts',
  },
  {
    says: 'findings without room on the first sheet are drawn over its foot',
    in: 'src/platform/proofs/drawing/draw-proof.ts',
    from: 'if (sheets.current.below - height < footTop - 0.01) sheets.next()',
    to: '',
    caughtBy: drawProofTest,
  },
  {
    says: 'a proof asks to sign for what was waived or is only mentioned',
    in: 'src/platform/proofs/drawing/listed-findings.ts',
    from: "severity === 'sign_off')",
    to: "severity !== 'warning')",
    caughtBy: drawProofTest,
  },
  {
    says: 'a proof is drawn of artwork with errors',
    in: 'src/platform/proofs/files-to-prove.ts',
    from: "if (newest && isFaulty(newest)) return { refused: 'artwork_needs_changes' }",
    to: '',
    caughtBy: filesTest,
  },
  {
    says: 'a proof shows what it showed before although a new file came',
    in: 'src/platform/proofs/files-to-prove.ts',
    from: 'files.some(isNew) ? files.filter(isNew) : files',
    to: 'files',
    caughtBy: filesTest,
  },
  {
    says: 'an approval accepts nothing on the record',
    in: 'src/platform/proofs/decide-proof.ts',
    from: 'decision === approval ? signedFor(',
    to: 'decision === denial ? signedFor(',
    caughtBy: dueTest,
  },
  {
    says: 'the preview of a proof is not the picture of its first page',
    in: 'src/platform/proofs/read-proof-artwork.ts',
    from: "?? 1, 'finished')",
    to: "?? 1, 'large')",
    caughtBy: dueTest,
  },
  {
    says: 'a declined line is proved again without a new file',
    in: 'src/platform/proofs/publish-due-proofs.ts',
    from: "line.proof_status = 'NOT_CREATED' or ${proofOutdated}",
    to: 'true or ${proofOutdated}',
    caughtBy: dueTest,
  },
]
