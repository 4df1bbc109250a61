/** The demo data cannot go into this database: one sentence for people. */
export class DemoRefused extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'DemoRefused'
  }
}
