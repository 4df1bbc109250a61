/** The master key of every test database; the credentials in the demo data are derived from it. */
export const testMasterKey = Buffer.alloc(32, 'partner-commerce-tests')
