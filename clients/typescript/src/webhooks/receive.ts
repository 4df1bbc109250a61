import { WebhookRefused } from './refused.ts'
import { isTestPing, secretsOf, verifyWebhook, type VerifyOptions, type WebhookEvent } from './verify.ts'

/** What an adapter needs. */
export type WebhookHandlerOptions = {
  /** the signing secret, as it stands; several while you change from one to the next */
  secret: string | readonly string[]
  /**
   * Told each verified event. Put it into a queue and return: the service waits five seconds and sends an event once, so
   * that work takes place later. When this throws, the delivery is answered 500 and has failed for good. The same event
   * may come more than once: compare `eventId`.
   */
  onEvent: (event: WebhookEvent) => void | Promise<void>
  /** told each verified test ping; it is dropped unless told */
  onTestPing?: (event: WebhookEvent) => void | Promise<void>
  /** told why a delivery was refused, for logs */
  onRefused?: (refusal: WebhookRefused) => void
  /** told what `onEvent` threw; without it the error goes on to the framework */
  onError?: (error: unknown) => void
  /** seconds that a delivery's time may differ from the clock here, either way; 300 unless told */
  tolerance?: number
}

/** The answer to a delivery. */
export type WebhookAnswer = { status: 204 | 400 | 413 | 500; text: string }

/** Events are a few hundred bytes. */
export const bodyBytesMax = 65_536

export const tooLarge: WebhookAnswer = { status: 413, text: 'A webhook is smaller than this.' }

/** What all adapters do with a delivery, once they have its bytes. @throws TypeError when there is no secret */
export function receiver(
  options: WebhookHandlerOptions,
): (body: VerifyOptions['body'], signature: string | null | undefined) => Promise<WebhookAnswer> {
  const secret = secretsOf(options.secret)
  const { onEvent, onTestPing, onRefused, onError, tolerance } = options
  return async (body, signature) => {
    let event: WebhookEvent
    try {
      event = await verifyWebhook({ body, signature, secret, ...(tolerance !== undefined && { tolerance }) })
    } catch (error) {
      if (!(error instanceof WebhookRefused)) throw error
      onRefused?.(error)
      return { status: 400, text: error.message }
    }
    try {
      await (isTestPing(event) ? onTestPing?.(event) : onEvent(event))
      return { status: 204, text: '' }
    } catch (error) {
      if (!onError) throw error
      onError(error)
      return { status: 500, text: 'The event could not be taken.' }
    }
  }
}
