import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

/**
 * Loaded before a generator that works by TypeScript's own functions. Version 7 has none; version 6 comes with the
 * other generator.
 */
const six = createRequire(import.meta.resolve('swagger-typescript-api')).resolve('typescript')

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' && context.parentURL?.includes('/@hey-api/')
      ? next(pathToFileURL(six).href, context)
      : next(specifier, context),
})
