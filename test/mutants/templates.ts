import type { Mutant } from './mutant.ts'

const ordered = 'src/resources/order-submissions/rendered-templates.test.ts'
const embedded = 'src/outside/template-vendor/embedded-vendor.test.ts'
const spoken = 'src/outside/template-vendor/http-vendor.test.ts'

export const templates: readonly Mutant[] = [
  {
    says: 'all lines of a document are drawn alike',
    in: 'src/platform/ordering/ask-once.ts',
    from: 'JSON.stringify([templateId, values])',
    to: 'JSON.stringify([templateId, values.length])',
    caughtBy: ordered,
  },
  {
    says: 'an order that is planned again is checked again',
    in: 'src/platform/ordering/ask-once.ts',
    from: 'checks.getOrInsertComputed(fillingKey(templateId, values), () => vendor.check(templateId, values)),',
    to: 'vendor.check(templateId, values),',
    caughtBy: ordered,
  },
  {
    says: 'values that the document does not take are checked by the vendor',
    in: 'src/platform/ordering/template-problems.ts',
    from: 'vendor.check(templateId, rest)',
    to: 'vendor.check(templateId, values)',
    caughtBy: ordered,
  },
  {
    says: 'a line that brings its file is drawn as well',
    in: 'src/platform/ordering/render-templates.ts',
    from: 'asked.artworkUrl === undefined ? usableTemplateId(product) : null',
    to: 'usableTemplateId(product)',
    caughtBy: ordered,
  },
  {
    says: 'files drawn for an order that cannot be drawn whole are kept',
    in: 'src/platform/ordering/render-templates.ts',
    from: 'isKept = problems.length === 0\n',
    to: 'isKept = true\n',
    caughtBy: ordered,
  },
  {
    says: 'after a failure the rest is begun all the same',
    in: 'src/platform/ordering/some-at-once.ts',
    from: 'const left = turns(items)',
    to: 'const left = items.entries()',
    caughtBy: 'src/platform/ordering/some-at-once.test.ts',
  },
  {
    says: 'orders with templates wait in the plain lane',
    in: 'src/intake/claim-submissions.ts',
    from: ' || Object.keys(templateVariables).length > 0',
    to: ' || Object.keys(templateVariables).length > 99',
    caughtBy: 'src/intake/artwork-lane.test.ts',
  },
  {
    says: 'any file of the vendor counts as a PDF',
    in: 'src/outside/template-vendor/http-vendor.ts',
    from: "if (type !== 'application/pdf' || ",
    to: "if (type !== 'application/pdf' && ",
    caughtBy: spoken,
  },
  {
    says: 'a PDF has the time of a document',
    in: 'src/outside/template-vendor/http-vendor.ts',
    from: 'timeoutMilliseconds: drawingMilliseconds,',
    to: 'timeoutMilliseconds: answerMilliseconds,',
    caughtBy: spoken,
  },
  {
    says: 'a check has the time of a document',
    in: 'src/outside/template-vendor/http-vendor.ts',
    from: 'values, timeoutMilliseconds: drawingMilliseconds }',
    to: 'values }',
    caughtBy: spoken,
  },
  {
    says: 'a new kind of problem is none',
    in: 'src/outside/template-vendor/http-vendor.ts',
    from: "?? 'unusable'",
    to: "?? 'missing'",
    caughtBy: spoken,
  },
  {
    says: 'words may be broken to make a value fit',
    in: 'src/outside/template-vendor/design/compose.ts',
    from: 'return fits && !wordsBroken && missing.length === 0',
    to: 'return fits && missing.length === 0',
    caughtBy: embedded,
  },
  {
    says: 'the largest of several fields tells how much fits',
    in: 'src/outside/template-vendor/design/compose.ts',
    from: 'whole.lengthMax! < noted.lengthMax!',
    to: 'whole.lengthMax! > noted.lengthMax!',
    caughtBy: embedded,
  },
  {
    says: 'a code may have modules of any size',
    in: 'src/outside/template-vendor/design/compose.ts',
    from: 'correction.M, maxVersion })',
    to: 'correction.M })',
    caughtBy: embedded,
  },
  {
    says: 'the vendor draws for who has gone',
    in: 'src/outside/template-vendor/embedded-vendor.ts',
    from: 'if (response.destroyed) return',
    to: 'if (response.headersSent) return',
    caughtBy: embedded,
  },
  {
    says: 'a drawn page has no trim',
    in: 'src/outside/template-vendor/design/draw-design.ts',
    from: 'const trimBox: Box = [bleed, bleed, bleed + width, bleed + height]',
    to: 'const trimBox: Box = [0, 0, bleed + width, bleed + height]',
    caughtBy: embedded,
  },
  {
    says: 'turned texts lie as they were',
    in: 'src/outside/template-vendor/design/compose.ts',
    from: 'if (turned % 180 === 0) return',
    to: 'if (turned < 360) return',
    caughtBy: embedded,
  },
]
