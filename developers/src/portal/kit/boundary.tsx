import { useQueryClient } from '@tanstack/react-query'
import { Component, type ReactNode } from 'react'
import { NotUnderstood } from '../api/problems.ts'
import type { Environment } from '../environment.ts'
import { Failed } from './loaded.tsx'

/** Keeps a page that cannot be drawn from taking the way to the others with it. */
export function Boundary({ environment, children }: { environment: Environment; children: ReactNode }) {
  const cache = useQueryClient()
  return <Caught forget={() => cache.removeQueries({ queryKey: [environment] })}>{children}</Caught>
}

/** Only a class can catch what its children throw. */
class Caught extends Component<{ forget: () => void; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return (
      <>
        <h1 tabIndex={-1}>This page cannot be shown</h1>
        <Failed
          // Pages are drawn from answers: what they cannot draw is an answer of another form.
          error={new NotUnderstood()}
          retry={() => {
            this.props.forget()
            this.setState({ hasFailed: false })
          }}
        />
      </>
    )
  }
}
