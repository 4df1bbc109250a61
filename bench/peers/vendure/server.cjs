const { bootstrap } = require('@vendure/core')
bootstrap(require('./config').config).then(() => process.stdout.write('{"ready":true}\n'))
