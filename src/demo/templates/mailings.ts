import type { Art, Chosen, Design, Inks } from '../../outside/template-vendor/design/design.ts'
import { artworkProfiles } from '../artwork-profiles.ts'
import {
  accent,
  accentVariable,
  black,
  code,
  coral,
  deep,
  disc,
  filled,
  given,
  gold,
  grey,
  ground,
  hills,
  landscape,
  link,
  listVariable,
  mark,
  middle,
  paper,
  person,
  ring,
  rule,
  shape,
  sheet,
  signature,
  textVariable,
  textsVariable,
  texts,
  tint,
} from './kit.ts'

/** What goes to letter boxes, counters and doors. */

const card = sheet(artworkProfiles.postcard)
const headline = textVariable('Headline', 'Headline')

/** Photographs to choose from, instead of the drawn hills, by the brands that they were taken for. */
export const photographs = { Harbor: 'meridian', Waterfall: 'cascade', Mountains: 'summit' } as const

export type Photograph = keyof typeof photographs

const headlines = (inks: Chosen<Inks>): Art =>
  given(
    'Headline',
    [
      texts(
        [24, 22, 272, 84],
        [{ text: { value: 'Headline' }, size: { min: 14, max: 32 }, maxLines: 2, bold: true, inks }],
      ),
    ],
    [texts([24, 22, 272, 84], [{ text: 'Greetings from your printer', size: 32, maxLines: 2, bold: true, inks }])],
  )

/** @param inks of the headline, to be read on it */
const photograph = (picture: Photograph, inks: Inks): Art[] => [
  {
    draw: 'picture',
    picture,
    area: [-card.bleed, -card.bleed, card.trim.width + 2 * card.bleed, card.trim.height + 2 * card.bleed],
  },
  headlines(inks),
]

export const postcard: Design = {
  ...card,
  title: 'Postcard',
  variables: [
    ...person,
    headline,
    textsVariable('Message', 'Message'),
    listVariable('Photo', 'Picture', ['Hills', ...Object.keys(photographs)]),
    accentVariable,
  ],
  pictures: Object.keys(photographs),
  pages: [
    [
      {
        draw: 'choice',
        by: 'Photo',
        of: {
          Hills: [...landscape(card), headlines(deep)],
          Harbor: photograph('Harbor', paper),
          Waterfall: photograph('Waterfall', black),
          Mountains: photograph('Mountains', paper),
        },
      },
      ...signature(24, 249, 20, paper),
    ],
    [
      texts(
        [20, 30, 186, 160],
        [
          {
            text: { value: 'Message' },
            size: { min: 8, max: 12 },
            maxLines: 10,
            align: 'start',
            inks: black,
          },
        ],
      ),
      rule(20, 202, 206, tint, 1),
      texts(
        [20, 212, 186, 46],
        [
          { text: { value: 'Name' }, size: { min: 8, max: 13 }, bold: true, inks: black },
          { text: { value: 'Title' }, size: { min: 6, max: 9 }, inks: accent },
        ],
      ),
      filled([219, 22, 0.75, 244], middle),
      filled([354, 20, 58, 70], tint, 4),
      ...mark(368, 40, 30, middle),
      ...[156, 184, 212, 240].map((top) => rule(236, top, 412, middle, 0.75)),
    ],
  ],
}

const a5 = sheet(artworkProfiles.flyer)

export const flyer: Design = {
  ...a5,
  title: 'Flyer',
  variables: [...person, headline, textsVariable('Message', 'Text'), link, accentVariable],
  pages: [
    [
      filled([-a5.bleed, -a5.bleed, a5.trim.width + 2 * a5.bleed, 330 + a5.bleed], deep),
      disc(330, 60, 190, accent),
      disc(330, 60, 128, middle),
      disc(330, 60, 62, gold),
      ...signature(30, 34, 24, paper),
      given(
        'Headline',
        [
          texts(
            [30, 180, 330, 130],
            [{ text: { value: 'Headline' }, size: { min: 18, max: 40 }, maxLines: 2, bold: true, inks: paper }],
            { vertical: 'bottom' },
          ),
        ],
        [
          texts(
            [30, 180, 330, 130],
            [{ text: 'Ideas, printed overnight', size: 40, maxLines: 2, bold: true, inks: paper }],
            {
              vertical: 'bottom',
            },
          ),
        ],
      ),
      given(
        'Message',
        [
          texts(
            [30, 354, 358, 132],
            [{ text: { value: 'Message' }, size: { min: 9, max: 13 }, maxLines: 8, align: 'start', inks: black }],
          ),
        ],
        [
          texts(
            [30, 354, 358, 132],
            [
              {
                text: 'Cards, folders, banners and everything between: sent today, on your desk the day after tomorrow. Ask us for samples.',
                size: 13,
                maxLines: 8,
                inks: black,
              },
            ],
          ),
        ],
      ),
      rule(30, 502, 388, middle, 0.75),
      texts(
        [30, 512, 270, 62],
        [
          { text: { value: 'Name' }, size: { min: 9, max: 16 }, bold: true, inks: black },
          { text: { value: 'Title' }, size: { min: 7, max: 11 }, inks: accent, space: 2 },
        ],
        { vertical: 'middle' },
      ),
      given('qr_link', [code([320, 508, 68, 68])], mark(336, 516, 52, middle)),
    ],
  ],
}

const hanger = sheet(artworkProfiles.doorHanger)

export const doorHanger: Design = {
  ...hanger,
  title: 'Door hanger',
  variables: [...person, headline, link, accentVariable],
  pages: [
    [
      ground(hanger, tint),
      shape(
        `M ${-hanger.bleed} 420 C 90 330 210 470 ${306 + hanger.bleed} 370 V ${792 + hanger.bleed} H ${-hanger.bleed} Z`,
        middle,
      ),
      shape(
        `M ${-hanger.bleed} 470 C 110 390 200 520 ${306 + hanger.bleed} 430 V ${792 + hanger.bleed} H ${-hanger.bleed} Z`,
        deep,
      ),
      // where the hole is punched
      disc(153, 108, 66, paper),
      ring(153, 108, 66, 0.75, middle),
      given(
        'Headline',
        [
          texts(
            [30, 200, 246, 160],
            [
              {
                text: { value: 'Headline' },
                size: { min: 18, max: 40 },
                maxLines: 3,
                bold: true,
                align: 'center',
                inks: deep,
              },
            ],
            { vertical: 'middle' },
          ),
        ],
        [
          texts(
            [30, 200, 246, 160],
            [{ text: 'Sorry we missed you', size: 40, maxLines: 3, bold: true, align: 'center', inks: deep }],
            {
              vertical: 'middle',
            },
          ),
        ],
      ),
      given(
        'qr_link',
        [filled([98, 512, 110, 110], paper, 8), code([103, 517, 100, 100])],
        mark(103, 517, 100, accent),
      ),
      texts(
        [30, 648, 246, 70],
        [
          { text: { value: 'Name' }, size: { min: 10, max: 20 }, bold: true, align: 'center', inks: paper },
          { text: { value: 'Title' }, size: { min: 8, max: 13 }, align: 'center', inks: paper, space: 2 },
        ],
        { vertical: 'middle' },
      ),
      ...signature(112, 744, 18, paper),
    ],
  ],
}

const trifold = sheet(artworkProfiles.trifold)
const panel = trifold.trim.width / 3

const steps = [
  ['Choose', 'Pick a product and a finish. Samples of every paper are free, and come with the next post.'],
  ['Design', 'Send your own artwork, or fill in one of our templates. We look at every file before it is printed.'],
  ['Approve', 'You get a proof of each side. Nothing is printed before you say so.'],
] as const

export const brochure: Design = {
  ...trifold,
  title: 'Tri-fold brochure',
  variables: [...person, headline, link, accentVariable],
  pages: [
    [
      // from the left: the flap that folds in, the back, the cover
      filled([-trifold.bleed, -trifold.bleed, panel + trifold.bleed, 595.276 + 2 * trifold.bleed], tint),
      filled([2 * panel, -trifold.bleed, panel + trifold.bleed, 595.276 + 2 * trifold.bleed], deep),
      texts(
        [34, 70, panel - 68, 260],
        [
          { text: 'Why print?', size: 22, bold: true, inks: deep },
          {
            text: 'A page is never too full to be read, needs no battery, and stays on the table. People keep what they can hold.',
            size: 12,
            maxLines: 9,
            inks: black,
            space: 10,
          },
        ],
      ),
      disc(panel / 2, 448, 74, middle),
      disc(panel / 2, 448, 46, accent),
      disc(panel / 2, 448, 18, gold),
      ...mark(1.5 * panel - 30, 90, 60, accent),
      texts(
        [panel + 30, 300, panel - 60, 80],
        [
          { text: { value: 'Name' }, size: { min: 9, max: 18 }, bold: true, align: 'center', inks: black },
          { text: { value: 'Title' }, size: { min: 7, max: 12 }, align: 'center', inks: accent, space: 2 },
        ],
        { vertical: 'middle' },
      ),
      given('qr_link', [code([1.5 * panel - 50, 410, 100, 100])]),
      texts(
        [panel + 30, 540, panel - 60, 20],
        [{ text: 'Meridian, 118 Harbor Street, Boston', size: 8, align: 'center', inks: grey }],
      ),
      disc(2.5 * panel + 20, 190, 112, accent),
      disc(2.5 * panel + 20, 190, 72, middle),
      disc(2.5 * panel + 20, 190, 32, coral),
      given(
        'Headline',
        [
          texts(
            [2 * panel + 30, 330, panel - 60, 170],
            [{ text: { value: 'Headline' }, size: { min: 14, max: 34 }, maxLines: 4, bold: true, inks: paper }],
            { vertical: 'bottom' },
          ),
        ],
        [
          texts(
            [2 * panel + 30, 330, panel - 60, 170],
            [{ text: 'Print, from the first idea', size: 34, maxLines: 4, bold: true, inks: paper }],
            {
              vertical: 'bottom',
            },
          ),
        ],
      ),
      ...signature(2 * panel + 30, 532, 22, paper),
    ],
    [
      ground(trifold, tint),
      filled([-trifold.bleed, -trifold.bleed, trifold.trim.width + 2 * trifold.bleed, 150 + trifold.bleed], accent),
      texts([34, 48, 700, 60], [{ text: 'From idea to doorstep', size: 36, bold: true, inks: paper }], {
        vertical: 'middle',
      }),
      ...steps.flatMap(([title, says], index) => [
        disc(index * panel + 62, 232, 30, deep),
        texts(
          [index * panel + 32, 210, 60, 44],
          [{ text: String(index + 1), size: 26, bold: true, align: 'center', inks: paper }],
          {
            vertical: 'middle',
          },
        ),
        texts(
          [index * panel + 32, 284, panel - 64, 220],
          [
            { text: title, size: 20, bold: true, inks: deep },
            { text: says, size: 12.5, maxLines: 8, inks: black, space: 8 },
          ],
        ),
      ]),
      ...hills(trifold, 300),
    ],
  ],
}
