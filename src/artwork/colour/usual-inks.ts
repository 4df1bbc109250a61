import { readFileSync } from 'node:fs'

/** The name of the printing condition in the registry of the ICC: web offset on coated paper, also known as SWOP. */
export const usualCondition = 'CGATS TR 001'

/**
 * Its ICC profile. PDFium's own table of inks differs from it by two steps of 255 at most, so that pages and pictures
 * look alike. From github.com/saucecontrol/Compact-ICC-Profiles, in the public domain (CC0, beside it).
 */
export const usualProfile: Uint8Array = readFileSync(new URL('CGATS001Compat-v2-micro.icc', import.meta.url))
