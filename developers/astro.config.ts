import react from '@astrojs/react'
import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'

export default defineConfig({
  site: 'https://developers.partner-commerce.example',
  outDir: './dist',
  // The policy of the pages lets styles come from files only.
  build: { inlineStylesheets: 'never' },
  trailingSlash: 'always',
  devToolbar: { enabled: false },
  // The version that Astro uses is not the one at the root of the workspaces, where its output would look for it.
  vite: { environments: { prerender: { resolve: { noExternal: ['cookie'] } } } },
  integrations: [
    react(),
    starlight({
      title: 'Partner Commerce',
      description: 'Guides, reference and tools for the developers of partners.',
      favicon: '/icon.svg',
      logo: { src: './src/icon.svg', alt: '' },
      customCss: ['./src/styles/site.css'],
      components: {},
      disable404Route: false,
      pagination: true,
      sidebar: [{ label: 'Start', items: [{ label: 'First call', link: '/' }] }],
    }),
  ],
})
