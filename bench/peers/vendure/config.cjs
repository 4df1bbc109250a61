const {
  DefaultJobQueuePlugin,
  DefaultSearchPlugin,
  DefaultSchedulerPlugin,
  dummyPaymentHandler,
  DefaultLogger,
  LogLevel,
} = require('@vendure/core')
exports.config = {
  apiOptions: {
    port: Number(process.env.PORT),
    hostname: '127.0.0.1',
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
    adminListQueryLimit: 1000,
  },
  authOptions: {
    tokenMethod: 'bearer',
    requireVerification: false,
    superadminCredentials: { identifier: 'bench-admin', password: 'bench-admin-password' },
  },
  dbConnectionOptions: {
    type: 'postgres',
    url: process.env.DATABASE_URL,
    synchronize: process.env.SCHEMA === 'make',
    logging: false,
    migrations: [],
  },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  importExportOptions: { importAssetsDir: __dirname },
  logger: new DefaultLogger({ level: LogLevel.Error }),
  plugins: [
    DefaultJobQueuePlugin.init({}),
    DefaultSearchPlugin.init({ bufferUpdates: false }),
    DefaultSchedulerPlugin.init({}),
  ],
}
