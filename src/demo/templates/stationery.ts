import type { Design } from '../../outside/template-vendor/design/design.ts'
import { artworkProfiles } from '../artwork-profiles.ts'
import {
  accent,
  accentVariable,
  black,
  deep,
  disc,
  filled,
  gold,
  grey,
  ground,
  mark,
  middle,
  paper,
  person,
  rule,
  shape,
  sheet,
  signature,
  textVariable,
  texts,
  tint,
} from './kit.ts'

/** What offices write and carry. */

const letter = sheet(artworkProfiles.letterhead)

export const letterhead: Design = {
  ...letter,
  title: 'Letterhead',
  variables: [...person, textVariable('Email', 'E-mail address'), textVariable('Phone', 'Direct line'), accentVariable],
  pages: [
    [
      filled([-letter.bleed, -letter.bleed, letter.trim.width + 2 * letter.bleed, letter.bleed + 10], accent),
      ...signature(48, 44, 30, accent),
      texts(
        [330, 36, 234, 66],
        [
          { text: { value: 'Name' }, size: { min: 7, max: 11 }, bold: true, align: 'right', inks: black },
          { text: { value: 'Title' }, size: { min: 6, max: 8.5 }, align: 'right', inks: accent },
          { text: { value: 'Email' }, size: { min: 6, max: 8 }, align: 'right', inks: grey, space: 4 },
          { text: { value: 'Phone' }, size: { min: 6, max: 8 }, align: 'right', inks: grey },
        ],
        { vertical: 'middle' },
      ),
      // where the letter is folded
      rule(12, 264, 22, middle),
      rule(12, 528, 22, middle),
      rule(48, 742, 564, middle),
      texts(
        [48, 750, 516, 14],
        [{ text: 'Meridian Print Store, 118 Harbor Street, Boston, MA 02210', size: 7.5, align: 'center', inks: grey }],
      ),
    ],
  ],
}

const longEnvelope = sheet(artworkProfiles.envelope)

export const envelope: Design = {
  ...longEnvelope,
  title: 'Number 10 envelope',
  variables: [...person, accentVariable],
  pages: [
    [
      filled([-9, -9, 9 + 10, 297 + 18], accent),
      ...signature(30, 26, 26, accent),
      texts(
        [30, 62, 230, 62],
        [
          { text: { value: 'Name' }, size: { min: 7, max: 10 }, bold: true, inks: black },
          { text: { value: 'Title' }, size: { min: 6, max: 8 }, inks: grey },
          { text: '118 Harbor Street, Boston, MA 02210', size: 8, inks: grey, space: 3 },
        ],
      ),
      shape('M 560 306 C 600 240 640 226 693 222 V 306 Z', tint),
      shape('M 606 306 C 632 270 660 262 693 260 V 306 Z', middle),
    ],
  ],
}

const pad = sheet(artworkProfiles.notepad)

export const notepad: Design = {
  ...pad,
  title: 'Notepad',
  variables: [...person, accentVariable],
  pages: [
    [
      filled([-9, -9, 414, 9 + 84], accent),
      ...mark(30, 24, 38, paper),
      texts(
        [84, 14, 282, 58],
        [
          { text: 'From the desk of', size: 8, inks: paper },
          { text: { value: 'Name' }, size: { min: 9, max: 18 }, bold: true, inks: paper },
          { text: { value: 'Title' }, size: { min: 6, max: 9 }, inks: paper },
        ],
        { vertical: 'middle' },
      ),
      ...Array.from({ length: 17 }, (_, line) => rule(30, 128 + line * 26, 366, tint, 0.75)),
      ...mark(342, 562, 24, middle),
      texts([30, 564, 260, 20], [{ text: 'Meridian', size: 10, bold: true, inks: accent }], { vertical: 'middle' }),
    ],
  ],
}

const open = sheet(artworkProfiles.folder)

export const folder: Design = {
  ...open,
  title: 'Presentation folder',
  variables: [...person, textVariable('Headline', 'Title on the cover'), accentVariable],
  pages: [
    [
      // the back on the left, the cover on the right of the fold
      ground(open, deep),
      filled([648, -9, 657, 882], accent),
      disc(1090, 270, 330, deep),
      disc(1090, 270, 236, middle),
      disc(1090, 270, 142, tint),
      disc(1090, 270, 62, gold),
      texts(
        [710, 560, 520, 130],
        [{ text: { value: 'Headline' }, size: { min: 20, max: 46 }, maxLines: 2, bold: true, inks: paper }],
        { vertical: 'bottom' },
      ),
      rule(710, 712, 1230, paper, 1.5),
      texts(
        [710, 726, 520, 72],
        [
          { text: { value: 'Name' }, size: { min: 14, max: 24 }, bold: true, inks: paper },
          { text: { value: 'Title' }, size: { min: 10, max: 16 }, inks: paper, space: 2 },
        ],
      ),
      ...signature(710, 60, 44, paper),
      ...mark(264, 372, 120, accent),
      texts(
        [124, 780, 400, 24],
        [{ text: 'Meridian Print Store, 118 Harbor Street, Boston', size: 12, align: 'center', inks: paper }],
      ),
    ],
  ],
}
