import type { BrandKey } from './brands.ts'
import type { Picture } from './canvas.ts'

/** Pictures made by code, in the press's colours, as a photographer would send them: one for each brand. */

/** of every picture */
const aspect = 1.5

const gradient = (id: string, ...stops: string[]): string =>
  `<linearGradient id="${id}" x2="0" y2="1">${stops.map((color, index) => `<stop offset="${index / (stops.length - 1)}" stop-color="${color}"/>`).join('')}</linearGradient>`

const glow = (x: number, y: number, color: string): string =>
  `<radialGradient id="glow" cx="${x}" cy="${y}" r=".7"><stop stop-color="${color}" stop-opacity=".95"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>`

const all = (fill: string): string => `<rect width="900" height="600" fill="url(#${fill})"/>`

/** SVG of 900 by 600. */
const scenes: Record<BrandKey, string> = {
  // A container ship at dusk.
  meridian: `${gradient('sky', '#22386b', '#6c5a86', '#f2a65e', '#ffd9a0')}${gradient('sea', '#c98a63', '#2a4470', '#142a4e')}${glow(0.7, 0.62, '#fff0c9')}
    ${all('sky')}${all('glow')}<circle cx="640" cy="372" r="46" fill="#fff4d8"/><path d="M0 390H900V600H0z" fill="url(#sea)"/>
    <path d="M560 398h160l-30 12h-96zM585 424h110l-24 10h-64zM600 450h80l-16 8h-46z" fill="#ffe3b0" opacity=".75"/>
    <path d="M70 402h420l-36 62H112z" fill="#1b2742"/><path d="M70 402h420l-6 12H77z" fill="#c3553c"/>
    ${[0, 1, 2, 3, 4, 5, 6].map((column) => [0, 1, 2].map((row) => `<rect x="${122 + column * 40}" y="${376 - row * 26}" width="37" height="23" fill="${['#d8593d', '#e6b24a', '#3d7fb5', '#4f9a86', '#8c5a86'][(column * 2 + row * 3) % 5]}"/>`).join('')).join('')}
    <path d="M420 402v-96h44v96zM430 306v-40h10v40z" fill="#eef0f2"/><path d="M426 318h32v10h-32z" fill="#22386b"/>`,
  // A fall between rocks.
  cascade: `${gradient('sky', '#bfe6ea', '#eef8f4')}${gradient('fall', '#ffffff', '#d5f1f2', '#8fd3d8')}${gradient('pool', '#5bb9bd', '#0f5f69')}
    ${all('sky')}<path d="M0 300 160 120 300 260 420 90 560 270 700 140 900 320V600H0z" fill="#9cc9c6"/>
    <path d="M0 340 120 210 330 330V600H0zM900 330 760 190 560 330V600H900z" fill="#4a8f88"/><path d="M0 400 210 300 370 380V600H0zM900 390 690 290 520 380V600H900z" fill="#1f5d5c"/>
    <path d="M372 300q75-24 150 0l18 190H352z" fill="url(#fall)"/>${[388, 412, 440, 470, 496].map((x, index) => `<path d="M${x} 302q${6 - index * 3} 90 ${index * 5 - 10} 186" stroke="#a6dde0" stroke-width="4" fill="none"/>`).join('')}
    <path d="M0 486q110-26 225 0t225 0 225 0 225 0v114H0z" fill="url(#pool)"/><path d="M330 492q60-26 120-4t120 0q20 22-120 22t-120-18z" fill="#f3fbfa"/>`,
  // A tea cup at a window.
  albion: `${gradient('wall', '#e9d6bd', '#c9a27c')}${gradient('tea', '#b8562b', '#7d2f17')}${glow(0.25, 0.2, '#fff6dd')}
    ${all('wall')}<path d="M60 40h260v340H60z" fill="#f9f0d9"/><path d="M60 40h260v340H60zm14 14v148h109V54zm123 0v148h109V54zM74 216v150h109V216zm123 0v150h109V216z" fill="#fff" fill-rule="evenodd"/>
    <path d="M74 300q60-60 109-20v86H74zM197 280q50-40 109 10v76H197z" fill="#8fae7a"/>${all('glow')}
    <path d="M0 440H900V600H0z" fill="#7a3b35"/><path d="M0 440H900v12H0z" fill="#94504a"/>
    <ellipse cx="560" cy="500" rx="230" ry="34" fill="#f4ebe0"/><ellipse cx="560" cy="494" rx="180" ry="22" fill="#ddcdbb"/>
    <path d="M400 300h320q-6 190-160 190T400 300z" fill="#fbf6ee"/><path d="M712 330q100-10 84 60t-120 56l10-26q70 8 74-34t-54-32z" fill="#fbf6ee"/>
    <path d="M412 360q8 130 148 130-100-30-112-130z" fill="#e6d8c6"/><ellipse cx="560" cy="300" rx="160" ry="30" fill="#efe4d5"/><ellipse cx="560" cy="303" rx="144" ry="23" fill="url(#tea)"/>
    <g fill="none" stroke="#fff" stroke-width="9" opacity=".65" stroke-linecap="round"><path d="M510 262q-24-40 0-74t0-74"/><path d="M570 256q-24-40 0-74t0-80"/><path d="M630 262q-24-40 0-74t0-64"/></g>`,
  // A windmill in the corn.
  prairie: `${gradient('sky', '#7db7d8', '#cfe6e2', '#fdf0c4')}${gradient('corn', '#f0bd4a', '#c98a22', '#8f5a14')}${glow(0.8, 0.3, '#fffbe0')}
    ${all('sky')}${all('glow')}<path d="M0 390q220-70 450-20t450-30V600H0z" fill="#9aa64f"/><path d="M0 430q240-50 470-10t430-20V600H0z" fill="url(#corn)"/>
    <path d="M236 420 258 210h64l22 210z" fill="#f1e7d2"/><path d="M290 210h32l22 210h-54z" fill="#d2c2a2"/><path d="M250 212q40-66 80 0z" fill="#7c3f2a"/><path d="M278 420v-50a12 12 0 0 1 24 0v50z" fill="#5a3a26"/>
    ${[20, 110, 200, 290].map((turn) => `<g transform="translate(290 206) rotate(${turn})"><path d="M-4 0h8v-170h-8z" fill="#5a3a26"/><path d="M4-40h34v-128H4z" fill="#fff8e6" stroke="#5a3a26" stroke-width="3"/></g>`).join('')}<circle cx="290" cy="206" r="10" fill="#3c2718"/>
    ${Array.from({ length: 60 }, (_, index) => `<path d="M${index * 15 + ((index * 37) % 11)} 600q${((index * 13) % 17) - 8}-60 ${((index * 29) % 23) - 11} -${88 + ((index * 53) % 60)}" stroke="${['#a86f18', '#d9a032', '#8b5a12'][index % 3]}" stroke-width="5" fill="none"/>`).join('')}`,
  // Ridges before sunrise.
  summit: `${gradient('sky', '#2d3f63', '#7d7fa6', '#f0a387', '#ffd9a8')}${glow(0.62, 0.55, '#fff2cf')}${all('sky')}${all('glow')}
    <circle cx="560" cy="322" r="40" fill="#fff6dc"/><path d="M0 400 130 270 240 350 400 200 560 370 690 250 900 390V600H0z" fill="#9a86a3"/>
    <path d="M400 200 448 251 420 262 398 240 372 268 350 247zM690 250 730 277 700 290 676 274 660 278z" fill="#fbe6dc"/>
    <path d="M0 450 180 330 350 440 520 340 700 460 900 360V600H0z" fill="#6a6386"/><path d="M0 500 140 420 330 500 560 410 760 510 900 450V600H0z" fill="#3f4563"/>
    <path d="M0 560 200 480 430 560 640 500 900 570V600H0z" fill="#20283f"/>${Array.from({ length: 26 }, (_, index) => `<path d="M${index * 36 - 10} 600l14-${60 + ((index * 31) % 50)} 14 ${60 + ((index * 31) % 50)}z" fill="#141b2d"/>`).join('')}
    <g fill="#141b2d"><circle cx="212" cy="446" r="7"/><path d="M205 454h14l4 26h-22zM226 452l10 30h3l-10-31z"/></g>`,
  // A chair being made at a workbench.
  reyes: `${gradient('wall', '#34495a', '#8a6f57')}${gradient('bench', '#c48a50', '#96602f')}${glow(0.68, 0.1, '#ffe2a6')}${all('wall')}${all('glow')}
    <path d="M0 430H900V600H0z" fill="url(#bench)"/><path d="M0 424H900v12H0z" fill="#7c4c25"/>${[470, 506, 548].map((y) => `<path d="M0 ${y}q220 12 450 0t450 4" stroke="#8a5527" stroke-width="3" fill="none"/>`).join('')}
    <g fill="#2b2f33"><path d="M120 90h14v120h-14zM112 200h30v60h-30z"/><path d="M190 90h10v170h-10zM175 90h40v26h-40z"/><path d="M260 90h60l-8 150h-44z"/></g>
    <path d="M430 430V250a95 95 0 0 1 190 0v180h-34V262a61 61 0 0 0-122 0v168z" fill="#d79a58"/><path d="M430 352h190v26H430z" fill="#c0803f"/>
    <path d="M620 430V250a95 95 0 0 0-30-69l40-12a95 95 0 0 1 24 81v180z" fill="#9a6230"/><path d="M700 430v-26h120v26zM720 404v-20h80v20z" fill="#e3b27a"/>`,
}

/** The picture of a brand. */
export function pictureOf(brand: BrandKey, widthPixels: number): Picture {
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 600">${scenes[brand]}</svg>`,
    widthPixels,
  }
}

/** Larger ones are enlarged, in the press's colours: taking millions of pixels there takes seconds. */
const drawnPixelsMax = 900

/** The picture as a JPEG of cyan, magenta, yellow and black. Equal calls give equal bytes. */
export async function cmykJpeg({ svg, widthPixels }: Picture): Promise<Buffer> {
  // Loaded when the first is drawn: the service starts without it.
  const { default: sharp } = await import('sharp')
  const drawn = Math.min(widthPixels, drawnPixelsMax)
  const sized = svg.replace('<svg', `<svg width="${drawn}" height="${Math.round(drawn / aspect)}"`)
  const inks = await sharp(Buffer.from(sized)).flatten().toColourspace('cmyk').tiff({ compression: 'none' }).toBuffer()
  return sharp(inks)
    .pipelineColourspace('cmyk')
    .resize(widthPixels, Math.round(widthPixels / aspect), { kernel: 'linear' })
    .toColourspace('cmyk')
    .jpeg({ quality: 88, optimiseCoding: false })
    .toBuffer()
}
