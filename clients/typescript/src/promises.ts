/** Facts about the answer to a call. */
export type ResponseFacts = {
  /** the HTTP status */
  readonly status: number
  readonly headers: Headers
  /** quote it to support */
  readonly requestId: string | null
  /** the revision of what was read: send it as `ifMatch` with a change of it */
  readonly etag: string | null
}

/** An answer with facts about it. */
export type Reply<Data> = { readonly data: Data; readonly response: ResponseFacts }

/** The answer to a call: a promise of its record, which also tells about the response. */
export class ApiPromise<Data> extends Promise<Data> {
  readonly #reply: Promise<Reply<Data>>

  constructor(reply: Promise<Reply<Data>>) {
    super((resolve, reject) => reply.then(({ data }) => resolve(data), reject))
    this.#reply = reply
  }

  /** What `then` gives is a promise like any other. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  /** The record together with the status, the headers, the request id and the ETag of the response. */
  withResponse(): Promise<Reply<Data>> {
    // Whoever asks in this way sees a failure here, and not once more as unhandled.
    this.catch(() => undefined)
    return this.#reply
  }
}

/** A page of a list, as the API answers it. */
type AnyPage = { nextCursor: string | null }

/**
 * The answer to a list: a promise of one page, with its `nextCursor`, and at the same time an iterable over all records
 * from that page on, `for await (const order of client.listOrders())`.
 */
export class PagePromise<Page extends AnyPage, Item> extends ApiPromise<Page> implements AsyncIterable<Item> {
  readonly #after: (cursor: string) => PromiseLike<Page>
  readonly #itemsOf: (page: Page) => Item[]

  constructor(
    reply: Promise<Reply<Page>>,
    after: (cursor: string) => PromiseLike<Page>,
    itemsOf: (page: Page) => Item[],
  ) {
    super(reply)
    this.#after = after
    this.#itemsOf = itemsOf
  }

  /** This page and all that follow it. Only a `nextCursor` of null ends the list: a page may be empty. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let page = (await this.withResponse()).data
    for (;;) {
      yield page
      if (page.nextCursor === null) return
      page = await this.#after(page.nextCursor)
    }
  }

  /** All records, from this page on. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page)
  }
}
