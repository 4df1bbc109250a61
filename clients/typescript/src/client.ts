import { givenTokens, machineTokens, type Tokens } from './credentials.ts'
import { decideProof, type DecidedProof, type ProofDecision } from './decide-proof.ts'
import { UnexpectedAnswer } from './errors.ts'
import type { Operations } from './generated/operations.gen.ts'
import { table } from './generated/table.gen.ts'
import type { AccessToken, PrintFile } from './generated/types.gen.ts'
import { version } from './generated/version.gen.ts'
import type { CallOptions, ClientOptions, Fetch } from './options.ts'
import { ApiPromise, PagePromise } from './promises.ts'
import { send, type Input, type Sender } from './send.ts'
import type { Sent } from './sent.ts'
import { ServerEvents } from './server-events.ts'
import { submitAndWait, type CompletedSubmission, type Order, type WaitOptions } from './submit-and-wait.ts'
import { uploadArtwork, type ArtworkUpload } from './upload-artwork.ts'

/** The methods of a client: one for each operation of the API, named by its operation id. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the class gives itself these methods from the table
export interface PartnerCommerce extends Operations {}

/**
 * A client of the Partner Commerce API.
 *
 * ```ts
 * const client = new PartnerCommerce({ baseUrl, clientId, clientSecret })
 * for await (const order of client.listOrders({ siteId: 101 })) console.log(order.orderNumber)
 * ```
 *
 * Keep one client for the life of your program: it keeps the token.
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- as above
export class PartnerCommerce {
  /** the address of the host, without a slash at its end */
  readonly baseUrl: string
  readonly #sender: Sender
  readonly #upload: Fetch

  /** @throws TypeError when the address is none, or plain http to another machine, or there is not exactly one credential */
  constructor(options: ClientOptions) {
    this.baseUrl = originOf(options.baseUrl)
    const usual: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
    this.#upload = usual
    const sender: Sender = {
      baseUrl: this.baseUrl,
      fetch: options.certificate?.fetch ?? usual,
      tokens: undefined,
      timeout: options.timeout ?? 60_000,
      retry: options.retry,
      onRetry: options.onRetry,
      userAgent: userAgent(options.userAgent),
    }
    this.#sender = { ...sender, tokens: tokensOf(options, sender) }
  }

  /**
   * Submits an order and waits until it exists or is rejected, across timeouts, outages and answers that got lost. The
   * `partnerOrderId` makes it safe to call this again with the same order at any time, also after your program restarted:
   * it never orders twice.
   * @returns the completed submission, with its `order`
   * @throws SubmissionRejected with what is wrong, when no order came of it; its `partnerOrderId` is then used up
   * @throws SubmissionPending when the outcome is not known within `timeout`
   * @throws ApiProblem when the order was refused; nothing is used up then
   */
  submitAndWait(order: Order, options?: WaitOptions): Promise<CompletedSubmission> {
    return submitAndWait(this.#sender, order, options)
  }

  /**
   * Approves or declines the proof of a line. If the line has this decision already, that is success; so it is safe to
   * call this again. After an answer that got lost it reads the line again, and repeats the decision only while the
   * revision that it was meant for is still the one that waits.
   * @throws DecisionConflict with the status that was found, when the proof does not take this decision
   */
  decideProof(decision: ProofDecision, options?: CallOptions): Promise<DecidedProof> {
    return decideProof(this, this.#sender.retry, decision, options)
  }

  /**
   * Uploads a print file and attaches it to a line: reserves an upload, sends the bytes to the storage and attaches
   * them. An upload URL that went stale is replaced by a new one.
   * @returns the attached file, with size and MD5 as the storage reports them
   * @throws UploadFailed when the storage does not take the file
   */
  uploadArtwork(upload: ArtworkUpload, options?: CallOptions): Promise<PrintFile> {
    return uploadArtwork(this, this.#upload, this.#sender.retry, upload, options)
  }

  static {
    for (const [operation, sent] of Object.entries(table)) {
      const [, , { list, events } = {}] = sent
      Object.defineProperty(this.prototype, operation, {
        configurable: true,
        writable: true,
        value: function (this: PartnerCommerce, ...[input, options]: [Input?, CallOptions?]) {
          const sender = this.#sender
          if (events) return new ServerEvents(sender, operation, sent, input, options)
          if (list !== undefined) return pages(sender, operation, sent, list, input, options)
          return new ApiPromise(send(sender, operation, sent, input, options))
        },
      })
    }
  }
}

type AnyPage = { nextCursor: string | null } & Record<string, unknown>

function pages(
  sender: Sender,
  operation: string,
  sent: Sent,
  list: string,
  input: Input | undefined,
  options: CallOptions | undefined,
): PagePromise<AnyPage, unknown> {
  const page = (cursor?: string) =>
    send<AnyPage>(sender, operation, sent, cursor === undefined ? input : { ...input, cursor }, options)
  return new PagePromise(
    page(),
    async (cursor) => (await page(cursor)).data,
    (answer) => {
      if (Array.isArray(answer[list])) return answer[list]
      throw new UnexpectedAnswer(operation, 200, JSON.stringify(answer))
    },
  )
}

function originOf(baseUrl: string | URL): string {
  const url = URL.canParse(String(baseUrl)) ? new URL(baseUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new TypeError('baseUrl must be the address of the host, such as https://api.partner-commerce.example.')
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new TypeError(`Credentials go over https only: use https://${url.host}. Plain http is for this machine.`)
  return url.href.replace(/\/+$/, '')
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

function tokensOf(options: ClientOptions, sender: Sender): Tokens | undefined {
  const given = ['clientId', 'accessToken', 'certificate'].filter(
    (name) => (options as Record<string, unknown>)[name] !== undefined,
  )
  if (given.length !== 1)
    throw new TypeError('A client needs one credential: clientId with clientSecret, or accessToken, or certificate.')
  if (options.certificate) return undefined
  if (options.accessToken) return givenTokens(options)
  const { clientId, clientSecret } = options
  if (!clientId || !clientSecret)
    throw new TypeError('clientId and clientSecret belong together, and neither may be empty.')
  return machineTokens(options, async (body) => {
    return (await send<AccessToken>(sender, 'requestToken', table.requestToken, { body })).data
  })
}

/** Browsers name themselves, and ask servers for leave before they send another name. */
function userAgent(more: string | undefined): string | undefined {
  if (typeof document !== 'undefined') return undefined
  return `partner-commerce-client/${version}${more === undefined ? '' : ` ${more}`}`
}
