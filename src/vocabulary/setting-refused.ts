/** A setting that cannot be used: one sentence for people, naming the variable. */
export class SettingRefused extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'SettingRefused'
  }
}
