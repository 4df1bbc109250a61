import { useQueryClient } from '@tanstack/react-query'
import { Component, type ReactNode } from 'react'
import { NotUnderstood } from '../api/problems.ts'
import type { Environment } from '../environment.ts'
import { Failed } from './loaded.tsx'

/** Keeps a page that cannot be drawn from taking the way to the others with it. */
export function Boundary({ environment, children }: { environment: Environment; children: ReactNode }) {
  const cache = useQueryClient()
  return (
    <Caught forget={() => cache.removeQueries({ queryKey: [environment] })} instead={insteadOfPage}>
      {children}
    </Caught>
  )
}

/** Keeps a part of a page that cannot be drawn from taking the other parts with it. @param instead what then stands there */
export function PartBoundary({
  environment,
  instead,
  children,
}: {
  environment: Environment
  instead: (error: Error, retry: () => void) => ReactNode
  children: ReactNode
}) {
  const cache = useQueryClient()
  return (
    <Caught forget={() => void cache.resetQueries({ queryKey: [environment] })} instead={instead}>
      {children}
    </Caught>
  )
}

const insteadOfPage = (error: Error, retry: () => void) => (
  <>
    <h1 tabIndex={-1}>This page cannot be shown</h1>
    <Failed error={error} retry={retry} />
  </>
)

type CaughtProps = {
  forget: () => void
  instead: (error: Error, retry: () => void) => ReactNode
  children: ReactNode
}

/** Only a class can catch what its children throw. */
class Caught extends Component<CaughtProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    // Pages are drawn from answers: what they cannot draw is an answer of another form.
    return this.props.instead(new NotUnderstood(), () => {
      this.props.forget()
      this.setState({ hasFailed: false })
    })
  }
}
