import type { Mutant } from './mutant.ts'

/** The reads and changes of artwork by which partners, agents and staff see what inspection found. */
export const artworkApis: readonly Mutant[] = [
  {
    says: 'a check is visible to every partner of the site',
    in: 'src/platform/artwork/artwork-checks.ts',
    from: 'where check_id = ${checkId} and partner_id = ${partnerId} and',
    to: 'where check_id = ${checkId} and ${partnerId}::text is not null and',
    caughtBy: 'src/resources/artwork/artwork-checks.test.ts',
  },
  {
    says: 'a check is remembered until its rows are removed',
    in: 'src/platform/artwork/artwork-checks.ts',
    from: 'and begun_on > ${now}::timestamptz - make_interval(hours => ${checkHours}::int)',
    to: 'and begun_on <= ${now}::timestamptz + make_interval(hours => ${checkHours}::int)',
    caughtBy: 'src/resources/artwork/artwork-checks.test.ts',
  },
  {
    says: 'partners see a waived finding with its full weight',
    in: 'src/resources/artwork/inspection-view.ts',
    from: "(waiver ? { ...finding, severity: 'info' } : finding)",
    to: '(waiver ? { ...finding } : finding)',
    caughtBy: 'src/resources/artwork/get-artwork.test.ts',
  },
  {
    says: 'an agent is shown a picture in which nothing can be read',
    in: 'src/resources/artwork/inspection-view.ts',
    from: "kind === 'medium'",
    to: "kind === 'small'",
    caughtBy: 'src/resources/artwork/get-artwork.test.ts',
  },
  {
    says: 'an agent is shown the oldest file',
    in: 'src/resources/artwork/get-artwork.ts',
    from: 'found.at(-1)',
    to: 'found.at(0)',
    caughtBy: 'src/resources/artwork/get-artwork.test.ts',
  },
  {
    says: 'a share has no rules for its print files',
    in: 'src/resources/artwork/get-artwork-requirements.ts',
    from: 'coalesce(product.master_number, product.product_number)',
    to: 'product.product_number',
    caughtBy: 'src/resources/artwork/artwork-requirements.test.ts',
  },
  {
    says: 'the template to design on has the size of the piece without its bleed',
    in: 'src/platform/artwork/draw-template.ts',
    from: '[trimWidth + 2 * bleed, trimHeight + 2 * bleed]\n',
    to: '[trimWidth, trimHeight]\n',
    caughtBy: 'src/resources/artwork/artwork-requirements.test.ts',
  },
  {
    says: "staff's queue of inspections ignores what was found",
    in: 'src/staff/artwork/list-inspections.ts',
    from: 'findings @> ${JSON.stringify([{ code }])}::jsonb',
    to: '${code}::text is not null',
    caughtBy: 'src/staff/artwork/artwork.test.ts',
  },
  {
    says: 'a file that the sandbox was asked to find encrypted can be read',
    in: 'src/sandbox/magic-files.ts',
    from: "['not_readable', 'encrypted',",
    to: "['not_readable',",
    caughtBy: 'src/sandbox/magic-files.test.ts',
  },
]
