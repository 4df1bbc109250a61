const { readFileSync, writeFileSync } = require('node:fs')
const { ContainerRegistrationKeys, Modules, ProductStatus } = require('@medusajs/framework/utils')
const flows = require('@medusajs/medusa/core-flows')

module.exports.default = async ({ container }) => {
  const run = async (name, input) => (await flows[name](container).run({ input })).result
  const link = container.resolve(ContainerRegistrationKeys.LINK)
  const [channel] = await run('createSalesChannelsWorkflow', { salesChannelsData: [{ name: 'Partners' }] })
  const [region] = await run('createRegionsWorkflow', {
    regions: [
      { name: 'United States', currency_code: 'usd', countries: ['us'], payment_providers: ['pp_system_default'] },
    ],
  })
  await run('createTaxRegionsWorkflow', [{ country_code: 'us', provider_id: 'tp_system' }])
  const [location] = await run('createStockLocationsWorkflow', {
    locations: [{ name: 'Works', address: { address_1: '1 Main St', country_code: 'US' } }],
  })
  const at = { [Modules.STOCK_LOCATION]: { stock_location_id: location.id } }
  await link.create({ ...at, [Modules.FULFILLMENT]: { fulfillment_provider_id: 'manual_manual' } })
  const [profile] = await run('createShippingProfilesWorkflow', { data: [{ name: 'Default', type: 'default' }] })
  const set = await container.resolve(Modules.FULFILLMENT).createFulfillmentSets({
    name: 'Delivery',
    type: 'shipping',
    service_zones: [{ name: 'US', geo_zones: [{ country_code: 'us', type: 'country' }] }],
  })
  await link.create({ ...at, [Modules.FULFILLMENT]: { fulfillment_set_id: set.id } })
  const [option] = await run('createShippingOptionsWorkflow', [
    {
      name: 'Standard',
      price_type: 'flat',
      provider_id: 'manual_manual',
      service_zone_id: set.service_zones[0].id,
      shipping_profile_id: profile.id,
      type: { label: 'Standard', description: 'Ground', code: 'standard' },
      prices: [{ currency_code: 'usd', amount: 5 }],
      rules: [],
    },
  ])
  await run('linkSalesChannelsToStockLocationWorkflow', { id: location.id, add: [channel.id] })
  const products = JSON.parse(readFileSync('catalog.json', 'utf8'))
  for (let from = 0; from < products.length; from += 100) {
    await run('createProductsWorkflow', {
      products: products.slice(from, from + 100).map((each) => ({
        ...each,
        status: ProductStatus.PUBLISHED,
        shipping_profile_id: profile.id,
        sales_channels: [{ id: channel.id }],
      })),
    })
  }
  const { data: items } = await container
    .resolve(ContainerRegistrationKeys.QUERY)
    .graph({ entity: 'inventory_item', fields: ['id'] })
  for (let from = 0; from < items.length; from += 500)
    await run('createInventoryLevelsWorkflow', {
      inventory_levels: items
        .slice(from, from + 500)
        .map(({ id }) => ({ location_id: location.id, inventory_item_id: id, stocked_quantity: 100_000_000 })),
    })
  writeFileSync(
    'seeded.json',
    JSON.stringify({ regionId: region.id, channelId: channel.id, shippingOptionId: option.id }),
  )
}
