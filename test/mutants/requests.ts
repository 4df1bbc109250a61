import type { Mutant } from './mutant.ts'

const log = 'src/gateway/request-log/request-log.test.ts'
const onboarding = 'src/staff/onboarding/onboarding.test.ts'

export const requests: readonly Mutant[] = [
  {
    says: 'calls whose insert was answered too late are in the log twice',
    in: 'src/gateway/request-log/request-log.ts',
    from: 'mayBeWritten = Math.max(mayBeWritten, batch.length)',
    to: 'mayBeWritten = 0',
    caughtBy: log,
  },
  {
    says: 'calls that wait for the database take all memory',
    in: 'src/gateway/request-log/request-log.ts',
    from: 'if (waiting.length >= waitingMax) return dropped(1)',
    to: 'if (waiting.length >= waitingMax * 1e6) return dropped(1)',
    caughtBy: log,
  },
  {
    says: 'what a caller put into a path is kept in the log',
    in: 'src/gateway/request-log/request-log.ts',
    from: 'calls.map(({ path }) => loggedPath(path))',
    to: 'calls.map(({ path }) => path)',
    caughtBy: 'src/staff/requests/request-log.test.ts',
  },
  {
    says: 'a clock that is ahead drops the whole log',
    in: 'src/database/migrations/0020-request-log.sql',
    from: "<= least(before, now() - interval '14 days')",
    to: '<= before',
    caughtBy: log,
  },
  {
    says: 'a page that found too little goes on one row too late',
    in: 'src/database/bounded-look.ts',
    from: 'offset ${fixed(lookAt - 1)}',
    to: 'offset ${fixed(lookAt)}',
    caughtBy: log,
  },
  {
    says: 'the id of a request holds another time than its entry in the log',
    in: 'src/http/answering/answer.ts',
    from: 'const requestId = timeOrderedUuid(now)',
    to: 'const requestId = timeOrderedUuid(new Date(now.getTime() + 1))',
    caughtBy: 'src/staff/requests/request-log.test.ts',
  },
  {
    says: 'whoever may not see money sees it',
    in: 'src/staff/shown-with.ts',
    from: 'may(needed) ? value',
    to: 'value !== null ? value',
    caughtBy: 'src/staff/roles.test.ts',
  },
  {
    says: 'readiness does not try the order',
    in: 'src/staff/onboarding/site-readiness.ts',
    from: 'null && isReady([...own, ...ofSite])',
    to: 'null && !isReady([...own, ...ofSite])',
    caughtBy: onboarding,
  },
  {
    says: 'trying an order takes numbers',
    in: 'src/platform/ordering/plan-order.ts',
    from: '{ checksAddress: false, numbers: noNumbers }',
    to: '{ checksAddress: false, numbers: takeNumbers }',
    caughtBy: onboarding,
  },
  {
    says: 'a dry run of a copy is kept',
    in: 'src/staff/onboarding/handlers.ts',
    from: "return dryRun ? { refused: 'dry_run' as const } : made",
    to: 'return made',
    caughtBy: 'src/staff/onboarding/copies.test.ts',
  },
  {
    says: 'a repeated copy makes doubles of products',
    in: 'src/staff/onboarding/copy-site.ts',
    from: 'original.products.filter(({ code }) => !taken.has(code))',
    to: 'original.products.filter(() => true)',
    caughtBy: 'src/staff/onboarding/copies.test.ts',
  },
  {
    says: 'partners are merged although an order id means an order of each',
    in: 'src/staff/onboarding/merge-partners.ts',
    from: 'if (collisions.length > 0) {',
    to: 'if (collisions.length > 1e6) {',
    caughtBy: 'src/staff/onboarding/merge-partners.test.ts',
  },
]
