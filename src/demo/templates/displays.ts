import type { Art, Design } from '../../outside/template-vendor/design/design.ts'
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

/** What is given away, hung up or stood on a table. */

const labels = sheet(artworkProfiles.stickers)
const labelMiddles = [117, 303, 489, 675].flatMap((y) => [117, 306, 495].map((x) => [x, y] as const))

export const stickers: Design = {
  ...labels,
  title: 'Sticker sheet',
  variables: [...person, accentVariable],
  pages: [
    labelMiddles.flatMap(([x, y]) => [
      disc(x, y, 84, accent),
      ring(x, y, 77, 1.5, paper),
      ...mark(x - 19, y - 62, 38, paper),
      texts(
        [x - 62, y - 18, 124, 44],
        [{ text: { value: 'Name' }, size: { min: 8, max: 17 }, maxLines: 2, bold: true, align: 'center', inks: paper }],
        { vertical: 'middle' },
      ),
      texts(
        [x - 50, y + 30, 100, 30],
        [{ text: { value: 'Title' }, size: { min: 6, max: 10 }, maxLines: 2, align: 'center', inks: paper }],
      ),
    ]),
  ],
}

const folded = sheet(artworkProfiles.greetingCard)
const motifs = ['Balloons', 'Flowers', 'Stars']

function balloon(x: number, y: number, radius: number, inks: Parameters<typeof disc>[3]): Art[] {
  return [
    {
      draw: 'path',
      path: `M ${x} ${y + radius} C ${x + 18} ${y + radius + 40} ${x - 18} ${y + radius + 70} ${x} ${y + radius + 110}`,
      line: { inks: grey, width: 1 },
    },
    shape(`M ${x - 6} ${y + radius * 1.32} L ${x} ${y + radius * 1.1} L ${x + 6} ${y + radius * 1.32} Z`, inks),
    shape(
      `M ${x} ${y - radius} C ${x + radius * 1.1} ${y - radius} ${x + radius * 1.1} ${y + radius * 0.3} ${x} ${y + radius * 1.15} C ${x - radius * 1.1} ${y + radius * 0.3} ${x - radius * 1.1} ${y - radius} ${x} ${y - radius} Z`,
      inks,
    ),
  ]
}

function flower(x: number, y: number, size: number, inks: Parameters<typeof disc>[3]): Art[] {
  const petals = Array.from({ length: 6 }, (_, turn) => {
    const angle = (turn * Math.PI) / 3
    return disc(round(x + Math.cos(angle) * size), round(y + Math.sin(angle) * size), size * 0.62, inks)
  })
  return [
    {
      draw: 'path',
      path: `M ${x} ${y + size} Q ${x + 10} ${y + size + 60} ${x} ${y + size + 130}`,
      line: { inks: accent, width: 3 },
    },
    ...petals,
    disc(x, y, size * 0.6, gold),
  ]
}

function star(x: number, y: number, radius: number, inks: Parameters<typeof disc>[3]): Art {
  const corners = Array.from({ length: 10 }, (_, turn) => {
    const angle = (turn * Math.PI) / 5 - Math.PI / 2
    const length = turn % 2 === 0 ? radius : radius * 0.45
    return `${round(x + Math.cos(angle) * length)} ${round(y + Math.sin(angle) * length)}`
  })
  return shape(`M ${corners.join(' L ')} Z`, inks)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

export const greetingCard: Design = {
  ...folded,
  title: 'Greeting card',
  variables: [
    ...person,
    textsVariable('Message', 'Message inside'),
    listVariable('Motif', 'Motif', motifs),
    accentVariable,
  ],
  pages: [
    [
      // outside: the back on the left, the front on the right of the fold
      filled([360, -9, 369, 522], tint),
      {
        draw: 'choice',
        by: 'Motif',
        of: {
          Balloons: [
            ...balloon(470, 190, 58, middle),
            ...balloon(622, 170, 54, coral),
            ...balloon(546, 140, 64, accent),
          ],
          Flowers: [...flower(456, 190, 34, coral), ...flower(622, 200, 30, middle), ...flower(540, 140, 44, accent)],
          Stars: [
            star(462, 130, 40, gold),
            star(612, 110, 30, coral),
            star(560, 230, 70, accent),
            star(444, 270, 26, middle),
            star(656, 260, 36, middle),
          ],
        },
      },
      texts([390, 380, 300, 80], [{ text: 'Thank you', size: 44, bold: true, align: 'center', inks: deep }], {
        vertical: 'middle',
      }),
      ...mark(166, 414, 28, middle),
      texts([80, 450, 200, 16], [{ text: 'Printed by Meridian', size: 8, align: 'center', inks: grey }]),
    ],
    [
      filled([-9, -9, 369, 522], tint),
      given(
        'Message',
        [
          texts(
            [400, 100, 280, 240],
            [{ text: { value: 'Message' }, size: { min: 10, max: 18 }, maxLines: 10, align: 'center', inks: black }],
            { vertical: 'middle' },
          ),
        ],
        [
          texts(
            [400, 100, 280, 240],
            [{ text: 'We are glad to work with you.', size: 18, maxLines: 3, align: 'center', inks: black }],
            {
              vertical: 'middle',
            },
          ),
        ],
      ),
      rule(500, 368, 580, accent, 1),
      texts(
        [400, 384, 280, 60],
        [
          { text: { value: 'Name' }, size: { min: 10, max: 18 }, bold: true, align: 'center', inks: accent },
          { text: { value: 'Title' }, size: { min: 8, max: 11 }, align: 'center', inks: grey, space: 2 },
        ],
      ),
    ],
  ],
}

const tent = sheet(artworkProfiles.tableTent)

/** Both faces are upright once the tent stands: the upper one is printed upside down. */
function face(top: number, turned: 0 | 180): Art[] {
  const upright = (y: number, height: number): number => (turned === 0 ? top + y : top + 396 - y - height)
  return [
    texts(
      [40, upright(36, 130), 280, 130],
      [
        { text: 'Welcome', size: 20, align: 'center', inks: paper },
        {
          text: { value: 'Headline' },
          size: { min: 14, max: 30 },
          maxLines: 2,
          bold: true,
          align: 'center',
          inks: paper,
          space: 4,
        },
      ],
      { vertical: 'middle', turned },
    ),
    texts(
      [30, upright(252, 90), 300, 90],
      [
        { text: { value: 'Name' }, size: { min: 14, max: 32 }, bold: true, align: 'center', inks: paper },
        { text: { value: 'Title' }, size: { min: 10, max: 18 }, align: 'center', inks: paper, space: 4 },
      ],
      { vertical: 'middle', turned },
    ),
  ]
}

export const tableTent: Design = {
  ...tent,
  title: 'Table tent',
  variables: [...person, textVariable('Headline', 'Headline'), accentVariable],
  pages: [
    [
      ground(tent, tint),
      // two feet of 1.5 inches that are glued together, and two faces between them
      filled([-9, 108, 378, 792], deep),
      filled([-9, 304, 378, 400], accent),
      ...face(108, 180),
      ...face(504, 0),
      ...mark(164, 38, 32, middle),
      ...mark(164, 938, 32, middle),
    ],
  ],
}

const wall = sheet(artworkProfiles.calendar)
const months: readonly (readonly [name: string, days: number])[] = [
  ['January', 31],
  ['February', 29],
  ['March', 31],
  ['April', 30],
  ['May', 31],
  ['June', 30],
  ['July', 31],
  ['August', 31],
  ['September', 30],
  ['October', 31],
  ['November', 30],
  ['December', 31],
]

/** A month of a calendar for any year: days without weekdays, and room to write. */
function monthPage(name: string, days: number, index: number): Art[] {
  const [left, top, across, down] = [252, 112, 72, 88]
  return [
    filled([-9, -9, 9 + 216, 630], index % 2 === 0 ? deep : accent),
    disc(48 + index * 8, 470 - index * 24, 58, middle),
    disc(48 + index * 8, 470 - index * 24, 28, gold),
    texts([24, 40, 180, 60], [{ text: String(index + 1), size: 48, bold: true, inks: paper }]),
    texts([left, 40, 504, 56], [{ text: name, size: 40, bold: true, inks: deep }]),
    ...Array.from({ length: days }, (_, day): Art[] => {
      const [x, y] = [left + (day % 7) * across, top + Math.floor(day / 7) * down]
      return [
        rule(x, y, x + across - 8, middle, 0.75),
        texts([x, y + 3, 40, 22], [{ text: String(day + 1), size: 14, bold: true, inks: accent }]),
      ]
    }).flat(),
    texts([left, 564, 504, 22], [{ text: { value: 'Name' }, size: { min: 8, max: 11 }, align: 'right', inks: grey }]),
  ]
}

export const calendar: Design = {
  ...wall,
  title: 'Wall calendar',
  variables: [...person, textVariable('Headline', 'Title on the cover'), accentVariable],
  pages: [
    [
      ...landscape(wall),
      texts(
        [60, 60, 480, 130],
        [
          { text: 'Every year', size: 26, inks: deep },
          { text: { value: 'Headline' }, size: { min: 20, max: 40 }, bold: true, maxLines: 1, inks: deep, space: 6 },
        ],
      ),
      texts(
        [60, 500, 500, 72],
        [
          { text: { value: 'Name' }, size: { min: 14, max: 26 }, bold: true, inks: paper },
          { text: { value: 'Title' }, size: { min: 10, max: 16 }, inks: paper, space: 2 },
        ],
        { vertical: 'bottom' },
      ),
      ...mark(690, 520, 50, paper),
    ],
    ...months.map(([name, days], index) => monthPage(name, days, index)),
    [
      ground(wall, deep),
      ...mark(346, 230, 100, paper),
      texts(
        [96, 360, 600, 40],
        [{ text: { value: 'Name' }, size: { min: 12, max: 20 }, align: 'center', inks: paper }],
      ),
    ],
  ],
}

const sheetOfPoster = sheet(artworkProfiles.poster)

export const poster: Design = {
  ...sheetOfPoster,
  title: 'Poster',
  variables: [...person, textVariable('Headline', 'Headline'), link, accentVariable],
  pages: [
    [
      ...landscape(sheetOfPoster),
      ...signature(84, 84, 72, deep),
      given(
        'Headline',
        [
          texts(
            [84, 230, 1128, 340],
            [{ text: { value: 'Headline' }, size: { min: 60, max: 136 }, maxLines: 2, bold: true, inks: deep }],
          ),
        ],
        [texts([84, 230, 1128, 340], [{ text: 'Made to be seen', size: 136, maxLines: 2, bold: true, inks: deep }])],
      ),
      texts(
        [84, 1400, 830, 220],
        [
          { text: { value: 'Name' }, size: { min: 40, max: 88 }, bold: true, inks: paper },
          { text: { value: 'Title' }, size: { min: 24, max: 48 }, inks: paper, space: 8 },
        ],
        { vertical: 'bottom' },
      ),
      given('qr_link', [filled([1006, 1414, 206, 206], paper, 14), code([1012, 1420, 194, 194])]),
    ],
  ],
}
