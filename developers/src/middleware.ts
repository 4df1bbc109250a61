import { defineMiddleware } from 'astro:middleware'

/**
 * What the generator leaves to be said, added to every page while it is built: names for code that scrolls, tables that the
 * keyboard scrolls, no keys in the name of the search, and what the search should weigh more or leave out.
 */
export const onRequest = defineMiddleware(async ({ url }, next) => {
  const response = await next()
  if (!response.headers.get('content-type')?.includes('text/html')) return response
  const html = await response.text()
  return new Response(mended(html, url.pathname), { status: response.status, headers: response.headers })
})

function mended(html: string, path: string): string {
  let blocks = 0
  const isGuide = path.startsWith('/guides/') && !path.startsWith('/guides/errors/')
  return (
    html
      // Styles show the key; only on a Mac the page's script writes one.
      .replaceAll(/(<kbd class="astro-[\w]+")>(\w+)<\/kbd>/g, '$1 data-key="$2"></kbd>')
      // A script takes the key away where nothing scrolls.
      .replaceAll(/<pre data-language=/g, () => `<pre tabindex="0" aria-label="Code ${++blocks}" data-language=`)
      // They scroll where they are wider than the page.
      .replaceAll(/<table>/g, '<table tabindex="0">')
      .replaceAll(/<h5 (class="sl-openapi-examples-heading[^>]*)>([\s\S]*?)<\/h5>/g, '<p $1>$2</p>')
      .replaceAll(
        /<div class="sl-openapi-snippet /g,
        '<div tabindex="0" role="region" aria-label="Sample" class="sl-openapi-snippet ',
      )
      // Addresses are replaced when they are served, by what they begin with.
      .replaceAll(/value="(?=(?:api|mtls|sandbox)\.partner-commerce\.example)/g, 'value="https://')
      // Samples are in every language, with the same words in each.
      .replace(
        /<div class="not-content sl-openapi-operation-description/,
        '<div data-pagefind-ignore class="not-content sl-openapi-operation-description',
      )
      .replace(/<main data-pagefind-body/, isGuide ? '<main data-pagefind-body data-pagefind-weight="3"' : '$&')
  )
}
