const { bootstrap } = require('@vendure/core')
const { populate } = require('@vendure/core/cli')
const initialData = {
  defaultLanguage: 'en',
  defaultZone: 'US',
  countries: [{ code: 'US', name: 'United States', zone: 'US' }],
  taxRates: [{ name: 'Standard Tax', percentage: 0 }],
  shippingMethods: [{ name: 'Standard', price: 500 }],
  paymentMethods: [
    {
      name: 'Account',
      handler: { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'true' }] },
    },
  ],
  collections: [],
  roles: [],
}
populate(() => bootstrap(require('./config').config), initialData, 'catalog.csv')
  .then((app) => app.close())
  .then(() => process.exit(0))
