import { Type } from 'typebox'
import {
  bodyObject,
  described,
  flag,
  idInBody,
  int32,
  nullable,
  oneOf,
  productId,
  record,
  text,
  textUpTo,
  uuid,
  whole,
} from '../../contract/fields.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { partners } from '../partners/contract.ts'
import { findingCodes, gravities } from './findings.ts'

const FindingView = record('ReadinessFinding', {
  code: oneOf(findingCodes),
  gravity: described(
    oneOf(gravities),
    'MISSING: orders are refused, or nobody can send one; WARNING: orders come in, but hardly as meant; HINT: worth a look',
  ),
  says: text,
  operation: described(text, 'the id of the staff operation that mends it, or that shows more'),
})
const readiness = {
  ready: described(flag, 'nothing is MISSING'),
  findings: Type.Array(FindingView),
}

const from = described(oneOf(['production', 'sandbox']), 'the environment of the original')
const dryRun = Type.Optional(described(flag, 'true = nothing is written; the answer says what would be'))
const copied = {
  dryRun: flag,
  isNew: described(flag, 'whether the copy made it; otherwise it was there, and only what it lacked was added'),
  copied: Type.Array(
    record('CopiedPart', {
      what: text,
      count: described(whole, 'how many were added'),
      there: described(whole, 'how many were there already, and stay as they are'),
    }),
  ),
  notCopied: Type.Array(text, { description: 'what stays to be done, as sentences' }),
}

export const onboarding = staffSubject({
  name: 'Onboarding',
  says:
    'Whether a site, a product or a partner is ready for orders, and what is missing if not. The smallest order of each product goes ' +
    'through the rules that place orders, to a place in the country of its site, without being placed. Copies take a site or a ' +
    'partner from one environment to the other, or a site to another of its environment.',
  problems: {
    site_not_found: [404, 'No such site.'],
    product_not_found: [404, 'No such product.'],
    partner_not_found: [404, 'No such partner.'],
    name_taken_twice: [409, 'More than one record has this name, so it is not clear which to copy to.'],
    currencies_differ: [422, 'The sites have different currencies.'],
    too_many_products: [422, 'A copy takes at most 500 products. Leave them out, and bring them by a CSV file.'],
    part_not_copied: [422, 'A part was refused, so nothing was copied.'],
    partners_same: [422, 'A partner cannot be merged into itself.'],
    partner_merged: partners.problems.partner_merged,
    target_disabled: [409, 'The partner that takes over is disabled: enable it first, or choose another.'],
    partner_enabled: [409, 'The partner is enabled: disable it first, so that nothing new comes in.'],
    methods_differ: [409, 'The partners authenticate by different methods, and a partner has one.'],
    two_clients_live: partners.problems.two_clients_live,
    two_certificates_live: partners.problems.two_certificates_live,
    submissions_open: [409, 'Orders of the partner are still being processed: try again once they have ended.'],
    too_many_orders: [422, 'The partner has more than 20,000 orders, too many to move at once.'],
    partner_order_ids_collide: [409, 'Both partners used the same partnerOrderId, which means one order only.'],
    copy_of_itself: [422, 'A copy in the same environment needs a name of its own.'],
    site_not_usable: [422, 'A setting of the site is not usable.'],
  },
  operations: {
    readSiteReadiness: staffOperation({
      id: 'readSiteReadiness',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/readiness',
      permission: 'sites:read',
      answers: {
        200: record('SiteReadiness', {
          siteId: int32,
          ...readiness,
          products: record('CheckedProducts', {
            checked: described(whole, 'how many active products were tried, 60 at most, by id'),
            ready: described(whole, 'how many of them can be ordered'),
            more: described(flag, 'the site has further active products'),
          }),
        }),
      },
      refuses: ['site_not_found'],
      says: 'Says whether partners can order on a site, and names each thing that is missing.',
    }),
    readProductReadiness: staffOperation({
      id: 'readProductReadiness',
      at: 'GET /staff/v1/{environment}/products/{productId}/readiness',
      permission: 'catalog:read',
      answers: { 200: record('ProductReadiness', { productId, siteId: int32, ...readiness }) },
      refuses: ['product_not_found'],
      says: 'Says whether partners can order a product, or a share on its site, and names each thing that is missing.',
    }),
    copySite: staffOperation({
      id: 'copySite',
      at: 'POST /staff/v1/{environment}/site-copies',
      permission: 'sites:write',
      body: {
        schema: bodyObject({
          from,
          siteId: described(idInBody, 'the original'),
          name: Type.Optional(described(textUpTo(400), 'of the copy; left out = that of the original')),
          url: Type.Optional(described(textUpTo(500), 'of the copy; left out = that of the original')),
          products: Type.Optional(described(flag, 'with variants and prices; true by default')),
          dryRun,
        }),
      },
      takesTime: true,
      answers: {
        200: record('CopiedSite', {
          siteId: nullable(described(int32, 'null = a dry run, and it is not there yet')),
          ...copied,
        }),
      },
      refuses: [
        'not_permitted',
        'site_not_found',
        'copy_of_itself',
        'name_taken_twice',
        'currencies_differ',
        'too_many_products',
        'site_not_usable',
        'part_not_copied',
      ],
      says: 'Copies a site to this environment: settings, ordering user, taxes, delivery services with rates, fulfilment centers with zones, products with variants and prices. A site that has the name gets what it lacks, and keeps what it has, so a repeated copy makes no doubles.',
    }),
    copyPartner: staffOperation({
      id: 'copyPartner',
      at: 'POST /staff/v1/{environment}/partner-copies',
      permission: 'partners:write',
      body: { schema: bodyObject({ from, partnerId: described(uuid, 'the original'), dryRun }) },
      answers: {
        200: record('CopiedPartner', {
          partnerId: nullable(described(uuid, 'null = a dry run, and it is not there yet')),
          ...copied,
        }),
      },
      refuses: ['partner_not_found', 'copy_of_itself', 'name_taken_twice', 'part_not_copied'],
      says: 'Copies a partner to this environment: name, method, tier, capabilities, and the grants of sites that are here under the same name. Never credentials, people or webhook endpoints. A partner that has the name gets the grants that it lacks, so a repeated copy makes no doubles.',
    }),
    mergePartners: staffOperation({
      id: 'mergePartners',
      at: 'POST /staff/v1/{environment}/partners/{partnerId}/merge',
      permission: 'partners:write',
      body: { schema: bodyObject({ into: described(uuid, 'the partner that takes over'), dryRun }) },
      answers: {
        200: record('MergedPartners', {
          into: uuid,
          dryRun: flag,
          moved: Type.Array(record('MovedRecords', { what: text, count: whole })),
          gains: Type.Array(
            record('GainedRecord', {
              what: described(
                text,
                'of moved: sites, capabilities, clients, certificates, people, alertEmails, brands, endpoints',
              ),
              id: described(text, 'its id, or what it is, such as orders:write'),
              name: nullable(described(text, 'what people call it; null = nothing else than its id')),
            }),
            { description: 'each thing that the partner has from now on and had not before' },
          ),
        }),
      },
      refuses: [
        'partners_same',
        'partner_not_found',
        'partner_merged',
        'partner_enabled',
        'target_disabled',
        'methods_differ',
        'two_clients_live',
        'two_certificates_live',
        'submissions_open',
        'too_many_orders',
        'partner_order_ids_collide',
      ],
      says: 'Merges a disabled partner into another: its sites, capabilities, credentials, people, webhook endpoints, orders and submissions go over. The former partner stays, disabled and with nothing, for its history. The answer names what the partner gains; so does that of a dry run.',
    }),
    readPartnerReadiness: staffOperation({
      id: 'readPartnerReadiness',
      at: 'GET /staff/v1/{environment}/partners/{partnerId}/readiness',
      permission: 'partners:read',
      answers: {
        200: record('PartnerReadiness', {
          partnerId: uuid,
          ...readiness,
          sites: Type.Array(record('ReadinessOfSite', { siteId: int32, name: text, ...readiness }), {
            description: 'of the granted sites, the first 20',
          }),
        }),
      },
      refuses: ['partner_not_found'],
      says: 'Says whether a partner can call and order, and names each thing that is missing, also on its sites.',
    }),
  },
})
