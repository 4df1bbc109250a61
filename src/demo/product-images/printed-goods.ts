import type { SpecimenKind } from '../specimens/specimens.ts'
import type { PrintedPage } from '../specimens/svg-canvas.ts'
import { pen, pile, plant, room, shade, shadow, sheet, tabletop } from './stage.ts'

/** How each kind of print looks in use: a still of 1600 by 1200, in SVG. */
export type Still = {
  /** @param pages printed, from the first on  @param tint of the surroundings, pale */
  draw: (pages: readonly PrintedPage[], tint: string) => string
  /** what a closer look shows */
  focus: readonly [x: number, y: number]
}

const wood = ['#d9b48a', '#a87a4e'] as const

const onTable = (draw: (pages: readonly PrintedPage[]) => string, focus: Still['focus'], isWood = false): Still => ({
  draw: (pages, tint) => tabletop(isWood ? wood[0] : '#ffffff', isWood ? wood[1] : tint) + draw(pages),
  focus,
})

const last = (pages: readonly PrintedPage[]): PrintedPage => pages.at(-1)!

export const printedGoods: Readonly<Record<SpecimenKind, Still>> = {
  card: onTable(
    (pages) =>
      pile(last(pages), { x: 720, y: 560, width: 660, turn: 9 }, 5) +
      pile(pages[0]!, { x: 220, y: 230, width: 700, turn: -11 }, 9),
    [560, 420],
  ),
  postcard: onTable(
    (pages) =>
      sheet(last(pages), { x: 650, y: 480, width: 780, turn: 8 }) +
      pile(pages[0]!, { x: 170, y: 150, width: 820, turn: -7 }, 4),
    [600, 420],
    true,
  ),
  greetingCard: {
    draw: (pages, tint) =>
      room(tint, '#e9dfd2', 860) +
      shadow(820, 1_010, 420, 34) +
      sheet(pages[0]!, { x: 900, y: 330, width: 300, fold: 16 }, { from: 0, to: 0.5 }) +
      sheet(pages[0]!, { x: 420, y: 290, width: 500, fold: -5 }, { from: 0.5, to: 1 }) +
      plant(1_330, 880, 320),
    focus: [680, 560],
  },
  flyer: onTable(
    (pages) =>
      sheet(last(pages), { x: 850, y: 220, width: 560, turn: 10 }) +
      pile(pages[0]!, { x: 260, y: 120, width: 620, turn: -6 }, 6),
    [570, 470],
  ),
  brochure: onTable(
    (pages) =>
      sheet(pages[2] ?? pages[0]!, { x: 640, y: 190, width: 430, turn: 6 }) +
      sheet(pages[5] ?? pages[0]!, { x: 1_066, y: 234, width: 430, turn: 6 }) +
      pile(pages[0]!, { x: 170, y: 250, width: 520, turn: -8 }, 7),
    [430, 560],
    true,
  ),
  trifold: {
    draw: (pages, tint) => {
      const outside = pages[0]!
      const panels = [0, 1, 2].map((panel) => {
        const part = { from: panel / 3, to: (panel + 1) / 3 }
        const x = 330 + panel * 330
        const fold = panel % 2 === 0 ? -9 : 9
        const darker = panel % 2 === 0 ? '' : shade(`M${x} 236l330 52v700l-330-52z`, 0.14)
        return sheet(outside, { x, y: 262, width: 330, fold }, part) + darker
      })
      return room(tint, '#ddd6cc', 880) + shadow(820, 990, 560, 34) + panels.join('')
    },
    focus: [1_120, 620],
  },
  letterhead: onTable(
    (pages) =>
      sheet(pages[0]!, { x: 760, y: 130, width: 700, turn: 7 }) +
      pile(pages[0]!, { x: 200, y: 90, width: 760, turn: -5 }, 6) +
      pen(360, 720, 520, -28, '#2b2f3c'),
    [520, 260],
  ),
  complimentSlip: onTable(
    (pages) =>
      `<g transform="translate(260 420) rotate(-5)"><rect width="1080" height="640" rx="8" fill="#c79a63"/><path d="M0 300h1080v60H0z" fill="#e3c08f"/><path d="M500 0h90v640h-90z" fill="#b98a52" opacity=".5"/></g>` +
      sheet(pages[0]!, { x: 330, y: 260, width: 960, turn: 6 }),
    [700, 470],
  ),
  envelope: onTable(
    (pages) =>
      `<g transform="translate(640 160) rotate(9)"><rect x="8" y="14" width="800" height="348" fill="#1b1b2a" opacity=".4" filter="url(#soft)"/><rect width="800" height="348" fill="#fbfaf6"/><path d="M0 0h800L430 214q-30 18-60 0z" fill="#f1eee6" stroke="#d8d3c6" stroke-width="3"/></g>` +
      pile(pages[0]!, { x: 150, y: 480, width: 1_020, turn: -6 }, 5),
    [430, 600],
    true,
  ),
  notepad: onTable(
    (pages) => pile(pages[0]!, { x: 420, y: 60, width: 680, turn: -5 }, 14) + pen(900, 840, 560, -52, '#c8553d'),
    [700, 260],
    true,
  ),
  folder: onTable(
    (pages) =>
      `<g transform="translate(880 110) rotate(12)"><rect width="560" height="760" fill="#fff" stroke="#d6d2ca" stroke-width="3"/>${[90, 130, 170, 210, 250, 290].map((y) => `<path d="M60 ${y}h420" stroke="#c9cdd4" stroke-width="10"/>`).join('')}</g>` +
      sheet(pages[0]!, { x: 720, y: 170, width: 640, turn: 7 }, { from: 0, to: 0.5 }) +
      pile(pages[0]!, { x: 250, y: 120, width: 700, turn: -6 }, 4, { from: 0.5, to: 1 }),
    [560, 640],
  ),
  stickers: onTable(
    (pages) =>
      sheet(pages[0]!, { x: 460, y: 60, width: 760, turn: 7 }) +
      `<g transform="translate(250 760)"><circle cx="8" cy="14" r="150" fill="#1b1b2a" opacity=".4" filter="url(#soft)"/><circle r="150" fill="#fff"/><clipPath id="round"><circle r="140"/></clipPath><g clip-path="url(#round)"><g transform="translate(-185 -185) scale(1.12)">${pages[0]!.svg}</g></g><path d="M-150 0a150 150 0 0 0 62 121q-2-70-62-121z" fill="#f4f2ee" stroke="#d8d4cc" stroke-width="3"/></g>`,
    [700, 380],
  ),
  doorHanger: {
    draw: (pages, tint) =>
      `<linearGradient id="door" x2="1"><stop stop-color="#8b5e3c"/><stop offset="1" stop-color="#6f472b"/></linearGradient><rect width="1600" height="1200" fill="${tint}"/><rect x="120" width="1360" height="1200" fill="url(#door)"/>
      <path d="M240 90h480v420H240zM880 90h480v420H880zM240 640h480v470H240zM880 640h480v470H880z" fill="none" stroke="#4c2f1b" stroke-width="14"/>` +
      sheet(pages[0]!, { x: 560, y: -60, width: 430, turn: -2 }) +
      `<circle cx="772" cy="96" r="66" fill="#b9bec6"/><circle cx="760" cy="84" r="58" fill="#e7eaee"/><circle cx="748" cy="70" r="20" fill="#fff"/>`,
    focus: [780, 420],
  },
  tableTent: {
    draw: (pages, tint) => {
      const page = pages[0]!
      const face = { width: page.width, height: page.height * 0.42 }
      const scale = 620 / face.width
      return (
        room(tint, '#c99f72', 780) +
        shadow(840, 1_040, 460, 34) +
        `<path d="M1130 320 1290 1000 1080 1040z" fill="#cfc9bf"/><g transform="translate(420 290) skewX(-3)"><clipPath id="face"><rect width="620" height="${face.height * scale}"/></clipPath><g clip-path="url(#face)"><g transform="scale(${scale}) translate(0 ${-face.height})">${page.svg}</g></g></g>` +
        `<g transform="translate(250 960)"><ellipse rx="150" ry="34" fill="#fff"/><ellipse rx="96" ry="20" fill="#e4ddd2"/><path d="M-80-130h160q0 120-80 120t-80-120z" fill="#fff"/><ellipse cy="-130" rx="80" ry="18" fill="#7a4526"/></g>`
      )
    },
    focus: [720, 560],
  },
  calendar: {
    draw: (pages, tint) => {
      const rings = Array.from({ length: 26 }, (_, index) => {
        const x = 330 + index * 37.6
        return `<path d="M${x} 590q-14-34 8-34t8 34v36q0 10-8 10" fill="none" stroke="#565b66" stroke-width="6"/>`
      })
      return (
        room(tint, tint, 1_200) +
        sheet(pages[0]!, { x: 310, y: -150, width: 980 }) +
        sheet(pages[1] ?? pages[0]!, { x: 310, y: 600, width: 980 }) +
        rings.join('') +
        `<circle cx="800" cy="40" r="14" fill="#565b66"/>`
      )
    },
    focus: [640, 680],
  },
  badge: {
    draw: (pages, tint) =>
      room(tint, tint, 1_200) +
      `<path d="M560-20 790 250 1040-20" fill="none" stroke="#2d3446" stroke-width="44"/><path d="M780 220h40v70h-40z" fill="#c3c8d0"/><path d="M772 270h56v26h-56z" fill="#8f96a3"/>` +
      `<rect x="476" y="278" width="648" height="880" rx="34" fill="#11131f" opacity=".28" filter="url(#soft)"/><rect x="466" y="264" width="668" height="886" rx="36" fill="#eef1f5" stroke="#c9ced7" stroke-width="4"/>` +
      sheet(pages[0]!, { x: 520, y: 290, width: 560 }) +
      `<path d="M480 300 700 270 500 900z" fill="#fff" opacity=".16"/>`,
    focus: [800, 640],
  },
  poster: {
    draw: (pages, tint) =>
      room(tint, '#d8c7b2', 1_010) +
      `<rect x="516" y="66" width="668" height="886" fill="#11131f" opacity=".35" filter="url(#soft)"/><rect x="500" y="44" width="668" height="886" fill="#33302c"/><rect x="516" y="60" width="636" height="854" fill="#fff"/>` +
      sheet(pages[0]!, { x: 534, y: 87, width: 600 }) +
      `<path d="M500 44 900 44 500 640z" fill="#fff" opacity=".07"/>` +
      plant(1_360, 980, 380) +
      `<path d="M120 880h300v22H120zM150 902h14v180h-14zM376 902h14v180h-14z" fill="#8b5e3c"/><path d="M190 800h60v80h-60zM262 780h46v100h-46zM318 812h54v68h-54z" fill="#b9876a"/>`,
    focus: [830, 560],
  },
  banner: {
    draw: (pages) => {
      const bricks = Array.from({ length: 15 }, (_, row) =>
        Array.from({ length: 13 }, (__, column) => {
          const x = column * 140 - (row % 2) * 70
          return `<rect x="${x}" y="${row * 66}" width="134" height="60" fill="${['#b5654a', '#a9583f', '#bd7054', '#9f5039'][(row * 7 + column * 5) % 4]}"/>`
        }).join(''),
      ).join('')
      const grommets = [0, 1, 2, 3, 4, 5, 6].flatMap((index) =>
        [166, 772].map(
          (y) =>
            `<circle cx="${172 + index * 209.5}" cy="${y}" r="11" fill="#d5d9df"/><circle cx="${172 + index * 209.5}" cy="${y}" r="5" fill="#33302c"/>`,
        ),
      )
      return (
        `<rect width="1600" height="1200" fill="#d9b8a6"/>${bricks}<rect y="990" width="1600" height="210" fill="#8f949c"/><rect y="990" width="1600" height="16" fill="#74787f"/>` +
        `<path d="M172 166 120 90M1429 166l52-76M172 772l-52 70M1429 772l52 70" stroke="#f1ede4" stroke-width="7"/>` +
        sheet(pages[0]!, { x: 150, y: 144, width: 1_300 }) +
        `<path d="M150 144h1300v650H150z" fill="none" stroke="#fff" stroke-opacity=".3" stroke-width="6" stroke-dasharray="14 10"/>${grommets.join('')}`
      )
    },
    focus: [330, 250],
  },
  retractableBanner: {
    draw: (pages, tint) =>
      room(tint, '#cfd3da', 940) +
      shadow(640, 1_120, 330, 26) +
      `<rect x="634" y="60" width="12" height="1040" fill="#8b9099"/>` +
      sheet(pages[0]!, { x: 410, y: 40, width: 450 }) +
      `<rect x="396" y="28" width="478" height="18" rx="8" fill="#c3c8d0"/><path d="M380 1090h510l26 44H354z" fill="#aab0ba"/><rect x="354" y="1126" width="562" height="16" rx="6" fill="#7c828d"/>` +
      plant(1_220, 930, 420),
    focus: [640, 760],
  },
  yardSign: {
    draw: (pages) => {
      const blades = Array.from({ length: 90 }, (_, index) => {
        const [x, tall] = [index * 18 - 6, 60 + ((index * 37) % 70)]
        return `<path d="M${x} 1200q${((index * 13) % 19) - 9}-${tall} ${((index * 29) % 31) - 15}-${tall + 90}l10 ${tall + 90}z" fill="${['#4f8a3c', '#6aa64d', '#3f7433'][index % 3]}"/>`
      })
      return (
        `<linearGradient id="sky" x2="0" y2="1"><stop stop-color="#9fd0ec"/><stop offset="1" stop-color="#f1f7ea"/></linearGradient><rect width="1600" height="1200" fill="url(#sky)"/><path d="M0 800q400-90 800-30t800-40v470H0z" fill="#8cbf66"/><path d="M0 900q500-70 900-10t700-30v340H0z" fill="#6fa94f"/>` +
        `<path d="M560 640v460M1040 640v460M560 900h480" stroke="#9aa0a9" stroke-width="13"/>` +
        sheet(pages[0]!, { x: 340, y: 110, width: 920, turn: -1 }) +
        blades.join('')
      )
    },
    focus: [640, 400],
  },
  windowDecal: {
    draw: (pages, tint) =>
      `<rect width="1600" height="1200" fill="#2f3a40"/><linearGradient id="glass" x2="1" y2="1"><stop stop-color="#bcd6df"/><stop offset="1" stop-color="#6d8c99"/></linearGradient><rect x="90" y="70" width="1420" height="980" fill="url(#glass)"/>
      <path d="M180 800h300v250H180zM1130 760h260v290h-260z" fill="${tint}" opacity=".5"/><path d="M90 700h1420v20H90z" fill="#2f3a40" opacity=".25"/>` +
      `<clipPath id="disc"><circle cx="800" cy="520" r="372"/></clipPath><g clip-path="url(#disc)">${sheet(pages[0]!, { x: 350, y: 70, width: 900 })}</g>` +
      `<path d="M90 70h520L300 1050H90zM760 70h120L570 1050H450z" fill="#fff" opacity=".13"/><rect y="1050" width="1600" height="150" fill="#8b8378"/><rect y="1050" width="1600" height="18" fill="#a39a8d"/>`,
    focus: [800, 460],
  },
  wallSign: {
    draw: (pages, tint) =>
      room(tint, '#b98f63', 1_010) +
      sheet(pages[0]!, { x: 330, y: 110, width: 940 }) +
      [
        [362, 142],
        [1_238, 142],
        [362, 704],
        [1_238, 704],
      ]
        .map(
          ([x, y]) =>
            `<circle cx="${x}" cy="${y}" r="15" fill="#d9dde3"/><circle cx="${x! - 4}" cy="${y! - 4}" r="6" fill="#fff"/>`,
        )
        .join('') +
      `<path d="M200 900h1200v230H200z" fill="#f4efe7"/><path d="M200 1108h1200v22H200z" fill="#0c1020" opacity=".1"/><path d="M170 880h1260v34H170z" fill="#8b5e3c"/>` +
      plant(1_300, 770, 260),
    focus: [520, 320],
  },
  mug: {
    draw: (pages, tint) => room(tint, '#c99f72', 820) + mug(pages[0]!, '#ffffff', 0.2),
    focus: [700, 560],
  },
  award: {
    draw: (pages, tint) =>
      room(tint, '#9a7350', 900) +
      shadow(800, 1_050, 460, 34) +
      `<path d="M330 210h940v760H330z" fill="#6b3f22"/><path d="M356 236h888v708H356z" fill="#7f4e2c"/><linearGradient id="brass" x2="1" y2="1"><stop stop-color="#f3d98f"/><stop offset=".5" stop-color="#d8b055"/><stop offset="1" stop-color="#f0d486"/></linearGradient><rect x="430" y="340" width="740" height="493" rx="10" fill="url(#brass)"/>` +
      `<g transform="translate(430 340) scale(${740 / pages[0]!.width})">${pages[0]!.svg.replaceAll('#ffffff', '#e0bd66')}</g><path d="M470 1000 360 1060h880l-110-60z" fill="#5a341c"/>`,
    focus: [800, 560],
  },
}

/** A mug of a color, with a part of its wrap in front; `from` says where on the wrap the front begins. */
export function mug(wrap: PrintedPage | undefined, color: string, from: number): string {
  const body = 'M470 300v540q0 110 250 110t250-110V300z'
  const scale = 600 / (wrap?.height ?? 1)
  const print = wrap
    ? `<clipPath id="body"><path d="${body}"/></clipPath><g clip-path="url(#body)"><g transform="translate(470 325) scale(${scale}) translate(${-wrap.width * from + 60} 0)">${wrap.svg}</g></g>`
    : ''
  return `${shadow(760, 950, 380, 40)}
    <path d="M950 420q220-30 220 160t-220 190v-80q140-20 140-110t-140-80z" fill="${color}"/><path d="M950 420q220-30 220 160t-220 190v-22q200-12 200-168t-200-138z" fill="#0c1020" opacity=".14"/>
    <path d="${body}" fill="${color}"/>${print}
    <linearGradient id="round-light"><stop stop-color="#0c1020" stop-opacity=".34"/><stop offset=".2" stop-color="#fff" stop-opacity=".22"/><stop offset=".34" stop-color="#fff" stop-opacity=".02"/><stop offset=".7" stop-color="#0c1020" stop-opacity=".06"/><stop offset="1" stop-color="#0c1020" stop-opacity=".42"/></linearGradient><path d="${body}" fill="url(#round-light)"/>
    <ellipse cx="720" cy="300" rx="250" ry="52" fill="${color}"/><ellipse cx="720" cy="300" rx="250" ry="52" fill="#0c1020" opacity=".06"/><ellipse cx="720" cy="306" rx="226" ry="41" fill="#3a2a22" opacity=".82"/>`
}
