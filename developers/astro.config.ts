import react from '@astrojs/react'
import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'
import starlightOpenapi, { openAPISidebarGroups } from 'starlight-openapi'
import { referenceAddresses } from './build/reference-addresses.ts'

const address = (name: string, content: string) => ({ tag: 'meta' as const, attrs: { name, content } })

export default defineConfig({
  site: 'https://developers.partner-commerce.example',
  // The policy of the pages lets styles come from files only.
  build: { inlineStylesheets: 'never' },
  trailingSlash: 'always',
  devToolbar: { enabled: false },
  vite: {
    plugins: [referenceAddresses()],
    // The version that Astro uses is not the one at the root of the workspaces, where its output would look for it.
    environments: { prerender: { resolve: { noExternal: ['cookie'] } } },
  },
  integrations: [
    react(),
    starlight({
      title: 'Partner Commerce',
      description: 'Guides, reference and tools for the developers of partners.',
      favicon: '/icon.svg',
      logo: { src: './src/icon.svg', alt: '' },
      components: {
        Banner: './src/components/Banner.astro',
        Head: './src/components/Head.astro',
        PageTitle: './src/components/PageTitle.astro',
        SocialIcons: './src/components/SocialIcons.astro',
      },
      expressiveCode: { styleOverrides: { borderRadius: '8px' } },
      customCss: ['./src/styles/site.css'],
      routeMiddleware: './src/route-data.ts',
      // Scripts of the pages read the addresses of the service here.
      head: [
        address('api-url', 'https://api.partner-commerce.example'),
        address('sandbox-url', 'https://sandbox.partner-commerce.example'),
      ],
      plugins: [
        starlightOpenapi([
          {
            base: 'reference',
            schema: './src/reference.gen.json',
            sidebar: { label: 'Reference', collapsed: true, operations: { badges: true } },
            snippets: { operation: false, requestBody: true, response: true },
          },
        ]),
      ],
      sidebar: [
        {
          label: 'Start',
          items: ['guides/first-order', 'guides/sandbox', 'guides/going-live', { label: 'Portal', link: '/portal/' }],
        },
        {
          label: 'Guides',
          items: [
            'guides/idempotency-and-retries',
            'guides/errors',
            'guides/limits',
            'guides/pagination',
            'guides/money-and-time',
            'guides/proofs',
            'guides/artwork',
            'guides/webhooks',
            'guides/sign-in',
            'guides/mutual-tls',
          ],
        },
        {
          label: 'Tools',
          items: ['guides/clients', 'guides/command-line', 'guides/agents', 'guides/changelog'],
        },
        ...openAPISidebarGroups,
      ],
    }),
  ],
})
