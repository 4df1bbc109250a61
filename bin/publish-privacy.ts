import { writeFileSync } from 'node:fs'
import { privacyDocument } from '../src/privacy/privacy-document.ts'

/** Writes `docs/privacy.md` from the list of personal columns. */
writeFileSync(new URL('../docs/privacy.md', import.meta.url), privacyDocument())
