import { Type } from 'typebox'
import { bodyObject, described, lineUpTo, nullable, oneOf, record, text } from '../../contract/fields.ts'
import { senderLineLengthMax, senderLinesMax } from '../../platform/sites/brand-rules.ts'
import { logoTypes } from '../../platform/sites/logo-files.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const sender = 'lines of the address that documents and labels name as the sender'
const textColor = described(oneOf(['#ffffff', '#000000']), 'what is easier to read on color')
const logoUrl = nullable(described(text, 'reads the logo, a PNG, for five minutes; null = there is none'))

export const SiteBrandView = record('SiteBrand', {
  name: nullable(described(text, "null = the site's name")),
  color: nullable(described(text, '#rrggbb; null = the usual blue')),
  textColor,
  supportEmail: nullable(text),
  senderAddress: Type.Array(text, { description: sender }),
  taxNumber: nullable(described(text, 'of the seller, as invoices name it')),
  logoUrl,
})

export const PartnerBrandView = record('PartnerBrand', {
  name: nullable(described(text, "null = no brand of its own: its documents have the site's")),
  color: nullable(described(text, '#rrggbb; null = the usual blue')),
  textColor,
  supportEmail: nullable(text),
  senderAddress: Type.Array(text, { description: `${sender}; [] = those of the site` }),
  logoUrl,
})

const given = {
  color: nullable(described(lineUpTo(7), '#rrggbb; null = the usual blue')),
  supportEmail: nullable(described(lineUpTo(254), 'whom customers may write to')),
  senderAddress: Type.Array(lineUpTo(senderLineLengthMax), { maxItems: senderLinesMax, description: sender }),
}

const logo = { mediaTypes: logoTypes, bytesMax: 5_242_880 }

export const brands = staffSubject({
  name: 'Brands',
  says:
    'How documents and mails look. A site has a name, a colour, a logo, a support address and a sender. A partner may have ' +
    'a brand of its own, which its packing slips and labels have in place of that of the site.',
  problems: {
    site_not_found: [404, 'No such site.'],
    partner_not_found: [404, 'No such partner.'],
    brand_not_usable: [422, 'A part of the brand is not usable.'],
    not_a_logo: [
      422,
      'The logo cannot be read as the type that its Content-Type names, or has more than 25 megapixels.',
    ],
  },
  operations: {
    readSiteBrand: staffOperation({
      id: 'readSiteBrand',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/brand',
      permission: 'sites:read',
      answers: { 200: SiteBrandView },
      refuses: ['site_not_found'],
      says: "Shows a site's brand.",
    }),
    setSiteBrand: staffOperation({
      id: 'setSiteBrand',
      at: 'PUT /staff/v1/{environment}/sites/{siteId}/brand',
      revises: 'readSiteBrand',
      permission: 'sites:write',
      body: {
        schema: bodyObject({
          name: nullable(described(lineUpTo(200), "null = the site's name")),
          ...given,
          taxNumber: nullable(described(lineUpTo(50), 'of the seller, as invoices name it')),
        }),
      },
      answers: { 200: SiteBrandView },
      refuses: ['site_not_found', 'brand_not_usable'],
      says: "Sets a site's brand, except the logo. Any colour will do: text on it is black or white, whichever reads better.",
    }),
    setSiteLogo: staffOperation({
      id: 'setSiteLogo',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/brand/logo',
      permission: 'sites:write',
      upload: logo,
      answers: { 200: SiteBrandView },
      refuses: ['not_a_logo', 'site_not_found'],
      says: "Sets a site's logo. It is kept as a PNG of at most 1,200 × 600 pixels.",
    }),
    removeSiteLogo: staffOperation({
      id: 'removeSiteLogo',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/brand/logo/remove',
      permission: 'sites:write',
      answers: { 200: SiteBrandView },
      refuses: ['site_not_found'],
      says: "Removes a site's logo; the name stands in its place.",
    }),
    readPartnerBrand: staffOperation({
      id: 'readPartnerBrand',
      at: 'GET /staff/v1/{environment}/partners/{partnerId}/brand',
      permission: 'partners:read',
      answers: { 200: PartnerBrandView },
      refuses: ['partner_not_found'],
      says: "Shows a partner's brand.",
    }),
    setPartnerBrand: staffOperation({
      id: 'setPartnerBrand',
      at: 'PUT /staff/v1/{environment}/partners/{partnerId}/brand',
      revises: 'readPartnerBrand',
      permission: 'partners:write',
      body: {
        schema: bodyObject({
          name: nullable(described(lineUpTo(200), "null = no brand of its own: its documents have the site's")),
          ...given,
        }),
      },
      answers: { 200: PartnerBrandView },
      refuses: ['partner_not_found', 'brand_not_usable'],
      says: "Sets a partner's brand, except the logo.",
    }),
    setPartnerLogo: staffOperation({
      id: 'setPartnerLogo',
      at: 'POST /staff/v1/{environment}/partners/{partnerId}/brand/logo',
      permission: 'partners:write',
      upload: logo,
      answers: { 200: PartnerBrandView },
      refuses: ['not_a_logo', 'partner_not_found'],
      says: "Sets a partner's logo, which its documents show once its brand has a name.",
    }),
    removePartnerLogo: staffOperation({
      id: 'removePartnerLogo',
      at: 'POST /staff/v1/{environment}/partners/{partnerId}/brand/logo/remove',
      permission: 'partners:write',
      answers: { 200: PartnerBrandView },
      refuses: ['partner_not_found'],
      says: "Removes a partner's logo; the name stands in its place.",
    }),
  },
})
