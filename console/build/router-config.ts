import { fileURLToPath } from 'node:url'

const at = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url))

/** How the files of `src/routes` become routes. Each route is loaded when it is first opened. */
export const routerConfig = {
  target: 'react',
  routesDirectory: at('routes'),
  generatedRouteTree: at('route-tree.gen.ts'),
  routeFileIgnorePattern: '\\.(css|parts)\\.',
  autoCodeSplitting: true,
  quoteStyle: 'single',
  semicolons: false,
} as const
