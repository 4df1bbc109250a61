import { useEffect, useId, type ReactNode } from 'react'
import { environmentNames, useEnvironment } from '../environment.ts'

/** A page with its heading; what can be done with all of it stands beside the heading. */
export function Page({
  title,
  says,
  actions,
  children,
}: {
  title: string
  says?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  const environment = useEnvironment()
  useEffect(() => {
    document.title = `${title} · ${environmentNames[environment]} · Partner Commerce`
  }, [title, environment])
  return (
    <>
      <div className="head">
        <h1 tabIndex={-1}>{title}</h1>
        {actions && <div className="row">{actions}</div>}
      </div>
      {says && <p className="lead">{says}</p>}
      {children}
    </>
  )
}

export function Section({
  title,
  says,
  actions,
  children,
}: {
  title: string
  says?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className="section" aria-labelledby={id}>
      <div className="head">
        <h2 id={id}>{title}</h2>
        {actions && <div className="row">{actions}</div>}
      </div>
      {says && <p className="soft">{says}</p>}
      {children}
    </section>
  )
}
