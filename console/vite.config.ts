import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { routerConfig } from './build/router-config.ts'

/** The service that the pages of the development server call. */
const service = process.env.CONSOLE_SERVICE ?? 'http://127.0.0.1:8070'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [tanstackRouter({ ...routerConfig, enableRouteGeneration: true }), react()],
  build: {
    target: 'es2023',
    // Browsers that know light-dark() themselves; rewritten, it would know nothing of the scheme that people chose.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy of the page lets nothing come from data: but pictures.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: ['index.html', 'gallery/index.html'],
      // What most pages use comes in two files instead of forty: fewer calls, and better compressed together.
      output: {
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules/, minShareCount: 16 },
            { name: 'house', test: /src\/(?:api|kit|shell)\//, minShareCount: 16 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      '/staff': {
        target: service,
        changeOrigin: true,
        // The service takes changes from its own origin only, which this server stands in for.
        configure: (proxy) => proxy.on('proxyReq', (request) => request.setHeader('origin', service)),
      },
    },
  },
})
