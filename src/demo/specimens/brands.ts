import { type Canvas, type Ink, type Paint } from './canvas.ts'
import { circle, ellipse, polygon, rectangle, rounded, waves } from './shapes.ts'

/** The invented companies whose print the demo data shows. */

export type BrandKey = 'meridian' | 'cascade' | 'albion' | 'prairie' | 'summit' | 'reyes'

export type Brand = {
  key: BrandKey
  name: string
  trade: string
  motto: string
  /** whose card it is */
  person: { name: string; role: string; phone: string; mail: string }
  address: readonly [street: string, city: string]
  web: string
  /** deep: carries white text */
  ground: Ink
  /** a second deep one, beside it in gradients */
  shade: Ink
  accent: Ink
  /** pale, under dark text */
  pale: Ink
  /** draws the mark into a square of 100 by 100 */
  mark: (canvas: Canvas, paint: Paint, behind: Paint) => void
}

export const brands: Readonly<Record<BrandKey, Brand>> = {
  meridian: {
    key: 'meridian',
    name: 'Meridian',
    trade: 'Freight & Logistics',
    motto: 'Every line leads home.',
    person: {
      name: 'Elena Marsh',
      role: 'Director of Routes',
      phone: '+1 518 555 0142',
      mail: 'elena@meridian.example',
    },
    address: ['48 Harbor Street', 'Albany, NY 12207'],
    web: 'meridian.example',
    ground: [100, 72, 18, 22],
    shade: [78, 35, 8, 0],
    accent: [0, 34, 88, 0],
    pale: [10, 4, 2, 0],
    mark: (canvas, paint, behind) => {
      canvas.fill(circle(50, 50, 48), paint)
      for (const radius of [34, 14]) {
        canvas.fill(ellipse(50, 50, radius + 3, 48), behind)
        canvas.fill(ellipse(50, 50, radius - 3, 48), paint)
      }
      for (const y of [28, 50, 72]) canvas.fill(rectangle(2, y - 2.5, 96, 5), behind)
    },
  },
  cascade: {
    key: 'cascade',
    name: 'Cascade',
    trade: 'Spring Water',
    motto: 'Poured by the mountain.',
    person: { name: 'Tomás Rivera', role: 'Head of Springs', phone: '+1 206 555 0177', mail: 'tomas@cascade.example' },
    address: ['910 Pier View', 'Seattle, WA 98101'],
    web: 'cascade.example',
    ground: [92, 30, 45, 25],
    shade: [70, 5, 28, 0],
    accent: [0, 58, 62, 0],
    pale: [12, 0, 6, 0],
    mark: (canvas, paint) => {
      for (const [index, y] of [16, 40, 64].entries())
        canvas.fill(waves(4 + index * 8, y + 10, 92 - index * 16, 13, 14, 2 - (index === 2 ? 1 : 0)), paint)
    },
  },
  albion: {
    key: 'albion',
    name: 'Albion & Rose',
    trade: 'Tea Merchants',
    motto: 'Four o’clock, everywhere.',
    person: {
      name: 'Imogen Hartley',
      role: 'Blender-in-Chief',
      phone: '+44 20 7946 0812',
      mail: 'imogen@albion.example',
    },
    address: ['17 Quill Lane', 'London EC1V 4PP'],
    web: 'albion.example',
    ground: [28, 95, 65, 35],
    shade: [15, 78, 48, 5],
    accent: [8, 28, 62, 0],
    pale: [2, 6, 12, 0],
    mark: (canvas, paint, behind) => {
      for (let turn = 0; turn < 360; turn += 72)
        canvas.group({ x: 50, y: 50, turn }, () => canvas.fill(circle(0, -26, 22), paint))
      canvas.fill(circle(50, 50, 17), behind)
      canvas.fill(circle(50, 50, 11), paint)
    },
  },
  prairie: {
    key: 'prairie',
    name: 'Prairie Mill',
    trade: 'Stone-Ground Flour',
    motto: 'Slow stones, good bread.',
    person: {
      name: 'Walt Jensen',
      role: 'Third-generation Miller',
      phone: '+1 312 555 0119',
      mail: 'walt@prairie.example',
    },
    address: ['5 Granary Road', 'Aurora, IL 60505'],
    web: 'prairie.example',
    ground: [65, 35, 85, 30],
    shade: [45, 15, 75, 5],
    accent: [0, 32, 92, 0],
    pale: [2, 4, 16, 0],
    mark: (canvas, paint, behind) => {
      for (let turn = -75; turn <= 75; turn += 25)
        canvas.group({ x: 50, y: 66, turn }, () =>
          canvas.fill(polygon([-4.5, -58], [4.5, -58], [3, -36], [-3, -36]), paint),
        )
      canvas.fill('M22 66a28 28 0 0 1 56 0z', paint)
      for (const [y, inset] of [
        [72, 4],
        [82, 14],
        [92, 26],
      ] as const)
        canvas.fill(rounded(inset, y, 100 - 2 * inset, 5, 2.5), paint)
      canvas.fill('M40 66a10 10 0 0 1 20 0z', behind)
    },
  },
  summit: {
    key: 'summit',
    name: 'Summit',
    trade: 'Outdoor Outfitters',
    motto: 'Further, on foot.',
    person: { name: 'Priya Nair', role: 'Trail Buyer', phone: '+1 303 555 0166', mail: 'priya@summit.example' },
    address: ['2200 Ridge Avenue', 'Denver, CO 80205'],
    web: 'summit.example',
    ground: [72, 60, 48, 42],
    shade: [55, 38, 32, 12],
    accent: [0, 62, 90, 0],
    pale: [6, 3, 5, 2],
    mark: (canvas, paint, behind) => {
      canvas.fill(polygon([2, 88], [40, 18], [78, 88]), paint)
      canvas.fill(polygon([52, 88], [74, 46], [98, 88]), paint)
      canvas.fill(polygon([40, 18], [53, 42], [45, 50], [38, 40], [31, 47], [27, 42]), behind)
    },
  },
  reyes: {
    key: 'reyes',
    name: 'Reyes & Daughters',
    trade: 'Furniture Makers',
    motto: 'Joined to last.',
    person: { name: 'Dana Reyes', role: 'Master Joiner', phone: '+1 415 555 0123', mail: 'dana@reyes.example' },
    address: ['500 Howard Street', 'San Francisco, CA 94105'],
    web: 'reyes.example',
    ground: [85, 62, 40, 30],
    shade: [62, 36, 24, 4],
    accent: [4, 48, 78, 0],
    pale: [3, 6, 10, 0],
    mark: (canvas, paint, behind) => {
      for (const [radius, fill] of [
        [46, paint],
        [36, behind],
        [28, paint],
        [18, behind],
        [10, paint],
      ] as const)
        canvas.fill(`M${50 - radius} 96v${-46}a${radius} ${radius} 0 0 1 ${2 * radius} 0v46z`, fill)
    },
  },
}

/** The mark of a brand in a square of `size`; `behind` is what its gaps show. */
export function drawMark(
  canvas: Canvas,
  brand: Brand,
  x: number,
  y: number,
  size: number,
  paint: Paint,
  behind: Paint,
): void {
  canvas.group({ x, y, scale: size / 100 }, () => brand.mark(canvas, paint, behind))
}
