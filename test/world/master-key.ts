/** The master key of every test database; the demo cast's credentials follow from it. */
export const testMasterKey = Buffer.alloc(32, 'partner-commerce-tests')
