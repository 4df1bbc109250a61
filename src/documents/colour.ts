/** A colour by its parts: red, green, blue from 0 to 255, or cyan, magenta, yellow, black in percent. */
export type Colour =
  | readonly [red: number, green: number, blue: number]
  | readonly [cyan: number, magenta: number, yellow: number, black: number]
