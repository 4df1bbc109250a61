const { bootstrapWorker } = require('@vendure/core')
bootstrapWorker(require('./config').config)
  .then((w) => w.startJobQueue())
  .then(() => process.stdout.write('{"ready":true}\n'))
