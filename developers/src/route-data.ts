import { defineRouteMiddleware } from '@astrojs/starlight/route-data'
import summaries from './summaries.gen.json'

/** Pages of operations are described by what their operations do. */
export const onRequest = defineRouteMiddleware(({ locals }) => {
  const { id, entry, head } = locals.starlightRoute
  if (id === 'reference') {
    entry.data.title = 'API reference'
    for (const each of head)
      if (each.tag === 'title') each.content = `API reference | ${locals.starlightRoute.siteTitle}`
  }
  const summary = (summaries as Record<string, string>)[id.replace(/^reference\//, '')]
  if (summary === undefined) return
  for (const { tag, attrs } of head) {
    if (tag === 'meta' && (attrs?.name === 'description' || attrs?.property === 'og:description'))
      attrs.content = summary
  }
})
