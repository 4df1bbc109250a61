import { pixel } from './catalog.ts'
import type { Samples } from '../samples.ts'

const logo = { body: pixel, headers: { 'content-type': 'image/png' } }
const senderAddress = ['Meridian Print Store', '4100 Westerville Rd', 'Columbus, OH 43224']

export const brandSamples: Samples = {
  readSiteBrand: () => ({}),
  setSiteBrand: () => ({
    body: {
      name: 'Meridian Print',
      color: '#0b6e4f',
      supportEmail: 'help@meridian-print.example',
      senderAddress,
      taxNumber: '31-4482910',
    },
  }),
  setSiteLogo: () => logo,
  removeSiteLogo: () => ({}),
  readPartnerBrand: () => ({}),
  setPartnerBrand: () => ({
    body: {
      name: 'Northwind Welcome Kits',
      color: '#7a1f5c',
      supportEmail: 'kits@northwind.example',
      senderAddress: ['Northwind Welcome Kits', 'PO Box 1180', 'Portland, OR 97207'],
    },
  }),
  setPartnerLogo: () => logo,
  removePartnerLogo: () => ({}),
}
