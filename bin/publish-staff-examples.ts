/**
 * Sends the sample of every staff operation (`test/every-staff-operation/samples/`) to a service with the demo cast, and
 * writes what was sent and answered to `src/staff/examples/`, from which `bin/publish-contract.ts` publishes it. What
 * still holds stays as it is; `--all` records everything anew.
 */
process.env.STAFF_EXAMPLES = process.argv.includes('--all') ? 'all' : 'changed'
process.argv.splice(2, Infinity, 'test/every-staff-operation/write-examples.ts')
await import('./test.ts')
