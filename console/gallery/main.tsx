import '@fontsource-variable/inter'
import '@mantine/core/styles.css'
import '../src/styles.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { theme } from '../src/theme.ts'
import { exhibits } from './exhibits.tsx'

/** Each component in its states, one below the other. It is what the tests of pictures look at. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
createRoot(document.getElementById('root')!).render(
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce ?? ''}>
    <QueryClientProvider client={new QueryClient()}>
      <main style={{ padding: 24, maxWidth: 960 }}>
        <h1>Gallery</h1>
        {Object.entries(exhibits).map(([name, shown]) => (
          <section key={name} aria-label={name} style={{ padding: '16px 0', borderTop: '1px solid var(--line)' }}>
            <h2 style={{ marginBottom: 8 }}>{name}</h2>
            {shown}
          </section>
        ))}
      </main>
    </QueryClientProvider>
  </MantineProvider>,
)
