import type { Design } from '../../outside/template-vendor/design/design.ts'
import { artworkProfiles } from '../artwork-profiles.ts'
import {
  accent,
  accentVariable,
  black,
  code,
  deep,
  disc,
  filled,
  given,
  gold,
  grey,
  ground,
  link,
  listVariable,
  mark,
  middle,
  paper,
  person,
  ring,
  shape,
  sheet,
  signature,
  textVariable,
  texts,
  tint,
} from './kit.ts'

const card = sheet(artworkProfiles.card)
const { width, height } = card.trim

const offices = {
  Boston: '118 Harbor Street, Boston, MA 02210',
  Chicago: '40 Lakeside Plaza, Chicago, IL 60601',
  'San Francisco': '500 Howard Street, San Francisco, CA 94105',
}

/** The company's card: contact on the front, the mark on the back. */
export const companyCard: Design = {
  ...card,
  title: 'Business card',
  variables: [
    ...person,
    textVariable('Email', 'E-mail address'),
    textVariable('Phone', 'Direct line'),
    listVariable('Office', 'Office', Object.keys(offices)),
    link,
    accentVariable,
  ],
  pages: [
    [
      filled([-card.bleed, -card.bleed, card.bleed + 5, height + 2 * card.bleed], accent),
      ...signature(18, 13, 18, accent),
      texts(
        [18, 42, 160, 39],
        [
          { text: { value: 'Name' }, size: { min: 8, max: 15 }, bold: true, inks: black },
          { text: { value: 'Title' }, size: { min: 6, max: 8.5 }, maxLines: 1, inks: accent, space: 1 },
        ],
        { vertical: 'middle' },
      ),
      texts(
        [18, 86, 160, 47],
        [
          { text: { value: 'Email' }, size: { min: 5, max: 7.5 }, inks: black },
          { text: { value: 'Phone' }, size: { min: 5, max: 7.5 }, inks: black },
          { text: { by: 'Office', of: offices }, size: { min: 6, max: 7 }, maxLines: 2, inks: grey, space: 2 },
        ],
        { vertical: 'bottom' },
      ),
      given(
        'qr_link',
        [code([183, 75, 60, 60])],
        [ring(213, 105, 28, 1, middle), ring(213, 105, 19, 1, middle), ring(213, 105, 10, 1, middle)],
      ),
    ],
    [
      ground(card, deep),
      disc(222, 26, 84, accent),
      disc(222, 26, 52, middle),
      disc(222, 26, 20, gold),
      ...mark(24, 52, 40, paper),
      texts(
        [74, 52, 120, 40],
        [
          { text: 'Meridian', size: 19, bold: true, inks: paper },
          { text: 'Print that goes places', size: 7.5, inks: paper },
        ],
        { vertical: 'middle' },
      ),
    ],
  ],
}

/** A plainer card of the storefronts. */
export const storeCard: Design = {
  ...card,
  title: 'Business card',
  variables: [...person, accentVariable],
  pages: [
    [
      ground(card, tint),
      shape(`M 153 ${-card.bleed} H ${width + card.bleed} V ${height + card.bleed} H 105 Z`, deep),
      shape(`M 169 ${-card.bleed} H ${width + card.bleed} V ${height + card.bleed} H 121 Z`, accent),
      ...mark(192, 49, 46, paper),
      texts(
        [14, 40, 106, 64],
        [
          { text: { value: 'Name' }, size: { min: 8, max: 14 }, maxLines: 2, bold: true, inks: black },
          { text: { value: 'Title' }, size: { min: 6, max: 8 }, maxLines: 2, inks: accent, space: 3 },
        ],
        { vertical: 'middle' },
      ),
    ],
    [ground(card, deep), ...mark(width / 2 - 26, height / 2 - 26, 52, paper)],
  ],
}
