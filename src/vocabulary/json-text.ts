/**
 * A JSON value as the text that the database has made of it: it is sent as it is, and read only by who has to look inside.
 */
export class JsonText<Value> {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The value; also what `JSON.stringify` makes of it. */
  toJSON(): Value {
    return JSON.parse(this.text) as Value
  }
}

export function jsonTextOf(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value)
}
