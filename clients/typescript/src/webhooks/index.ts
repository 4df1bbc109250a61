/**
 * Webhooks: is this delivery the service's, and what does it tell? With adapters beside it for `node:http`, Express,
 * Fastify, Hono and the Fetch API.
 *
 * @module
 */
export { isTestPing, verifyWebhook, type VerifyOptions, type WebhookEvent } from './verify.ts'
export { WebhookRefused, type WebhookRefusalReason } from './refused.ts'
export type { WebhookHandlerOptions } from './receive.ts'
