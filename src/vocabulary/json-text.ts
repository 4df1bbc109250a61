/**
 * A JSON value as the bytes of its text: they are sent as they are, and read only by who has to look inside.
 */
export class JsonText<Value> {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** The value; also what `JSON.stringify` makes of it. */
  toJSON(): Value {
    return JSON.parse(this.bytes.toString()) as Value
  }
}

export function jsonTextOf(value: unknown): string | Buffer {
  return value instanceof JsonText ? value.bytes : JSON.stringify(value)
}
