import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import type { Logger } from 'pino'
import { templateStock } from './demo/template-documents.ts'
import { createEgress } from './outside/egress/guarded-request.ts'
import { createEmbeddedVendor } from './outside/template-vendor/embedded-vendor.ts'
import { httpTemplateVendor } from './outside/template-vendor/http-vendor.ts'
import { noTemplateVendor, type TemplateVendor } from './outside/template-vendor/template-vendor.ts'
import type { Settings } from './settings.ts'
import { SettingRefused } from './vocabulary/setting-refused.ts'

/**
 * The template vendor that the service uses: the configured one, which must be at a public address; with demo data an
 * embedded one on loopback; otherwise none.
 */
export type OpenTemplateVendor = { vendor: TemplateVendor; close: () => Promise<void> }

const loopback = '127.0.0.1'
/** Enough for every order that both environments' workers have under way. */
const connectionsPerHostMax = 512

/** @throws SettingRefused when the embedded vendor's port is taken */
export async function openTemplateVendor(
  { templateVendor, demo }: Pick<Settings, 'templateVendor' | 'demo'>,
  log: Logger,
): Promise<OpenTemplateVendor> {
  if (templateVendor.url !== undefined) {
    const egress = createEgress({ allowedHosts: () => false, connectionsPerHostMax })
    return { vendor: httpTemplateVendor(egress, templateVendor.url), close: async () => egress.close() }
  }
  if (!demo) {
    log.warn('TEMPLATE_VENDOR_URL is not set: no product has a usable template')
    return { vendor: noTemplateVendor, close: async () => undefined }
  }
  const server = createEmbeddedVendor(templateStock)
  try {
    server.listen(templateVendor.port, loopback)
    await once(server, 'listening')
  } catch (error) {
    throw new SettingRefused(
      `TEMPLATE_VENDOR_PORT ${templateVendor.port} cannot be listened on: ${(error as Error).message}.`,
    )
  }
  const egress = createEgress({ allowedHosts: (host) => host === loopback, connectionsPerHostMax })
  return {
    vendor: httpTemplateVendor(egress, `http://${loopback}:${(server.address() as AddressInfo).port}`),
    close: async () => {
      egress.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
