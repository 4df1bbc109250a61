import { drawMark, type Brand } from '../specimens/brands.ts'
import type { Design, Ink } from '../specimens/canvas.ts'
import { inkColor, printedPage } from '../specimens/svg-canvas.ts'
import { mug } from './printed-goods.ts'
import { pen, room, shadow, tabletop } from './stage.ts'

/** Goods from stock, in a color and with the mark of a brand: stills of 1600 by 1200, in SVG. */
export type GoodsStill = {
  draw: (look: GoodsLook) => string
  focus: readonly [x: number, y: number]
}

export type GoodsLook = {
  /** of the goods, in CSS */
  color: string
  isDark: boolean
  brand: Brand
  tint: string
}

/** The mark of a brand in one ink, at a place. Its gaps show the goods. */
function imprint({ brand, isDark, color }: GoodsLook, x: number, y: number, size: number, withName = false): string {
  const ink: Ink = isDark ? [0, 0, 0, 0] : brand.ground
  const design: Design = {
    title: `imprint ${x} ${y}`,
    width: 100,
    height: 140,
    bleed: 0,
    safe: 0,
    pages: [
      (canvas) => {
        drawMark(canvas, brand, 0, 0, 100, ink, unprinted)
        if (withName)
          canvas.text(brand.name, 50, 132, { size: 26, weight: 'bold', ink, align: 'middle', widthMax: 150 })
      },
    ],
  }
  const svg = printedPage(design, 0).svg.replaceAll(inkColor(unprinted), color)
  return `<g transform="translate(${x - size / 2} ${y - size / 2}) scale(${size / 100})">${svg}</g>`
}

/** An ink that no brand has, in place of the goods' own color. */
const unprinted: Ink = [0, 0, 0, 99]

/** Light and folds that cloth shows. */
const cloth = (path: string): string =>
  `<linearGradient id="cloth" x2="1" y2=".4"><stop stop-color="#fff" stop-opacity=".18"/><stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#0c1020" stop-opacity=".3"/></linearGradient><path d="${path}" fill="url(#cloth)"/>`

const shirtBody =
  'M560 150 330 250 190 520l170 90 70-120v600q370 46 740 0V490l70 120 170-90-140-270-230-100q-60 90-240 90t-240-90z'
const seams = 'M430 490q-6-90 20-190M1170 490q6-90-20-190M430 1060q370 44 740 0'

function shirt(look: GoodsLook, extra: string): string {
  return `${room(look.tint, look.tint, 1_200)}<path d="${shirtBody}" transform="translate(10 20)" fill="#11131f" opacity=".35" filter="url(#soft)"/>
    <path d="${shirtBody}" fill="${look.color}" stroke="#0c1020" stroke-opacity=".16" stroke-width="3"/>${cloth(shirtBody)}
    <path d="${seams}" fill="none" stroke="#0c1020" stroke-opacity=".28" stroke-width="4"/><path d="M520 640q60 160 20 380M1080 640q-70 160-20 380" fill="none" stroke="#0c1020" stroke-opacity=".12" stroke-width="16"/>${extra}`
}

const box = (look: GoodsLook, inside: string): string =>
  `${tabletop('#ffffff', look.tint)}<path d="M270 440h1060v600H270z" fill="#11131f" opacity=".4" filter="url(#soft)"/>
    <path d="M240 420 130 250h1340l-110 170z" fill="#b98a58"/><path d="M240 420h1120v120H240z" fill="#7d5a38"/>${inside}
    <path d="M240 560h1120v480H240z" fill="#c99a66"/><path d="M240 560h1120v30H240z" fill="#b98a58"/><path d="M740 560h120v480H740z" fill="#d9b07f" opacity=".7"/>
    <rect x="470" y="680" width="660" height="260" rx="8" fill="#fff"/><g>${imprint({ ...look, color: '#ffffff', isDark: false }, 600, 800, 150)}</g>`

const bottle = (look: GoodsLook, x: number, y: number, scale: number): string => {
  const body = 'M-110-360q0-70 50-100v-60h120v60q50 30 50 100v620q0 50-110 50t-110-50z'
  return `<g transform="translate(${x} ${y}) scale(${scale})">${shadow(10, 300, 170, 26)}<rect x="-52" y="-610" width="104" height="96" rx="14" fill="#2d3038"/><rect x="-52" y="-586" width="104" height="10" fill="#51555f"/>
    <path d="${body}" fill="${look.color}"/><linearGradient id="steel"><stop stop-color="#0c1020" stop-opacity=".4"/><stop offset=".25" stop-color="#fff" stop-opacity=".4"/><stop offset=".45" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#0c1020" stop-opacity=".45"/></linearGradient>${imprint(look, 0, -60, 130, true)}<path d="${body}" fill="url(#steel)"/></g>`
}

const notebook = (look: GoodsLook, x: number, y: number, scale: number, turn: number): string =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${scale})"><rect x="14" y="22" width="560" height="800" rx="22" fill="#11131f" opacity=".45" filter="url(#soft)"/><rect x="14" y="14" width="556" height="796" rx="18" fill="#efeadf"/><rect width="560" height="800" rx="22" fill="${look.color}"/>
    <rect x="486" width="22" height="800" fill="#0c1020" opacity=".55"/><path d="M0 22Q0 0 22 0h26v800H22Q0 800 0 778z" fill="#0c1020" opacity=".2"/>${imprint(look, 270, 360, 190)}</g>`

export const stockGoods = {
  TS: {
    draw: (look) =>
      shirt(
        look,
        `<path d="M560 150q60 90 240 90t240-90q-60 140-240 140T560 150z" fill="#0c1020" opacity=".28"/>${imprint(look, 800, 500, 260, true)}`,
      ),
    focus: [800, 460],
  },
  PS: {
    draw: (look) =>
      shirt(
        look,
        `<path d="M560 150 640 120h320l80 30-120 180-120-90-120 90z" fill="${look.color}" stroke="#0c1020" stroke-opacity=".35" stroke-width="5"/><path d="M772 250h56v250h-56z" fill="#0c1020" opacity=".16"/>${[300, 370, 440].map((y) => `<circle cx="800" cy="${y}" r="11" fill="#fff" stroke="#0c1020" stroke-opacity=".4" stroke-width="3"/>`).join('')}${imprint(look, 1_010, 440, 120)}`,
      ),
    focus: [940, 400],
  },
  HD: {
    draw: (look) =>
      shirt(
        look,
        `<path d="M540 160q40-130 260-130t260 130q-60 150-260 180-200-30-260-180z" fill="${look.color}" stroke="#0c1020" stroke-opacity=".35" stroke-width="5"/><path d="M610 170q60-70 190-70t190 70q-70 110-190 130-120-20-190-130z" fill="#0c1020" opacity=".5"/><path d="M740 300v210M860 300v190" stroke="#f3f1ec" stroke-width="11" stroke-linecap="round"/><path d="M560 760h480l60 220H500z" fill="#0c1020" opacity=".14"/><path d="M560 760h480l60 220H500z" fill="none" stroke="#0c1020" stroke-opacity=".3" stroke-width="5"/>${imprint(look, 800, 610, 180)}`,
      ),
    focus: [800, 560],
  },
  MG: {
    draw: (look) =>
      room(look.tint, '#c99f72', 820) + mug(undefined, look.color, 0) + imprint(look, 700, 600, 240, true),
    focus: [700, 600],
  },
  WB: { draw: (look) => room(look.tint, '#d6dbe1', 900) + bottle(look, 800, 700, 1.1), focus: [800, 620] },
  BP: {
    draw: (look) =>
      tabletop('#ffffff', look.tint) +
      [0, 1, 2]
        .map((index) =>
          pen(300 + index * 60, 330 + index * 220, 1_000, -14 + index * 3, index === 1 ? look.color : '#2d3446'),
        )
        .join('') +
      imprint({ ...look, isDark: true }, 640, 497, 40),
    focus: [640, 480],
  },
  TB: {
    draw: (look) => {
      const bag = 'M430 420h740l40 700H390z'
      return `${room(look.tint, '#e4ddd2', 960)}${shadow(800, 1_120, 460, 34)}<path d="M590 430q0-330 90-330t90 330M830 430q0-330 90-330t90 330" fill="none" stroke="${look.color}" stroke-width="38"/><path d="M590 430q0-330 90-330t90 330M830 430q0-330 90-330t90 330" fill="none" stroke="#0c1020" stroke-opacity=".2" stroke-width="38"/><path d="${bag}" fill="${look.color}"/>${cloth(bag)}<path d="M430 420h740v34H430z" fill="#0c1020" opacity=".14"/>${imprint(look, 800, 730, 300, true)}`
    },
    focus: [800, 720],
  },
  CP: {
    draw: (look) => {
      const crown = 'M430 720q0-430 380-430t380 430q-380-90-760 0z'
      return `${room(look.tint, '#ded8ce', 880)}${shadow(760, 900, 560, 34)}<path d="${crown}" fill="${look.color}"/>${cloth(crown)}<path d="M430 720q-60 0-240 100-40 60 40 70 340-130 720-90 200 20 240-80-380-90-760 0z" fill="${look.color}"/><path d="M430 720q-60 0-240 100-40 60 40 70 340-130 720-90 200 20 240-80-380-90-760 0z" fill="#0c1020" opacity=".22"/><path d="M810 290q-150 130-150 400M810 290q170 130 190 410" fill="none" stroke="#0c1020" stroke-opacity=".25" stroke-width="5"/><ellipse cx="810" cy="290" rx="34" ry="14" fill="${look.color}" stroke="#0c1020" stroke-opacity=".4" stroke-width="4"/>${imprint(look, 820, 530, 170)}`
    },
    focus: [820, 540],
  },
  NB: {
    draw: (look) =>
      tabletop('#ffffff', look.tint) + notebook(look, 520, 150, 1.1, -6) + pen(1_180, 320, 620, 78, '#d7dade'),
    focus: [800, 560],
  },
  UM: {
    draw: (look) => {
      const ribs = [-1, -0.6, -0.2, 0.2, 0.6, 1].map((at) => 800 + at * 620)
      const canopy = `M180 640Q220 170 800 150q580 20 620 490${ribs
        .toReversed()
        .slice(1)
        .map((x) => `Q${x + 124} 570 ${x} 640`)
        .join('')}z`
      return `${room(look.tint, '#cdd6de', 980)}<path d="M794 150h12v820q0 90 70 90t70-80" fill="none" stroke="#3b2a1e" stroke-width="18"/><path d="${canopy}" fill="${look.color}"/>${ribs
        .slice(1, 5)
        .map(
          (x) =>
            `<path d="M800 150Q${(800 + x) / 2 + (x - 800) * 0.25} 300 ${x} 640" fill="none" stroke="#0c1020" stroke-opacity=".3" stroke-width="5"/>`,
        )
        .join('')}${cloth(canopy)}<path d="M792 96h16v60h-16z" fill="#3b2a1e"/>${imprint(look, 800, 400, 170)}`
    },
    focus: [800, 400],
  },
  WK: {
    draw: (look) =>
      box(
        look,
        bottle(look, 400, 480, 0.55) +
          notebook(look, 620, 160, 0.5, 3) +
          pen(1_000, 480, 340, -74, look.color) +
          pen(1_080, 490, 340, -66, '#2d3446'),
      ),
    focus: [700, 420],
  },
  EK: {
    draw: (look) =>
      box(
        look,
        notebook(look, 330, 190, 0.45, -5) +
          bottle(look, 760, 500, 0.5) +
          notebook({ ...look, color: '#efeadf', isDark: false }, 900, 170, 0.5, 6) +
          pen(1_240, 500, 300, -80, look.color),
      ),
    focus: [820, 430],
  },
  SK: {
    draw: (look) =>
      box(
        look,
        [0, 1, 2, 3]
          .map((index) =>
            notebook(
              { ...look, color: index % 2 ? look.color : '#efeadf', isDark: index % 2 === 1 && look.isDark },
              320 + index * 235,
              210 - index * 14,
              0.38,
              -4 + index * 3,
            ),
          )
          .join(''),
      ),
    focus: [700, 380],
  },
} as const satisfies Record<string, GoodsStill>

export type GoodsCode = keyof typeof stockGoods
