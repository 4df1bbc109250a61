import { createFileRoute } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { At } from '../../kit/at.tsx'
import { useUrlState } from '../../kit/filters.tsx'
import { PageBody } from '../../kit/page-body.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { Section } from '../../kit/section.tsx'
import { CheckStep } from '../../onboarding/check-step.tsx'
import { DeliveryStep } from '../../onboarding/delivery-step.tsx'
import { Missing } from '../../onboarding/missing.tsx'
import { PartnerStep } from '../../onboarding/partner-step.tsx'
import { ProductsStep } from '../../onboarding/products-step.tsx'
import { SiteStep } from '../../onboarding/site-step.tsx'
import { placeOfStep, steps, type Begun, type Step } from '../../onboarding/steps.ts'
import classes from '../../partners/partners.module.css'

export const Route = createFileRoute('/$environment/onboarding')({ component: OnboardingPage })

/** A partner from nothing to its first order. Each step is saved by itself, and the URL says how far one is. */
function OnboardingPage() {
  const [state] = useUrlState()
  const begun: Begun = { siteId: state.with === undefined ? undefined : Number(state.with), partnerId: state.partner }
  const step = steps.find(({ name }) => name === state.step)?.name ?? 'site'
  const stepsRef = useRef<HTMLElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    stepsRef.current?.scrollIntoView({ block: 'nearest' })
  }, [step])
  return (
    <>
      <PageHead
        title="Onboarding"
        about="Five steps, each saved by itself: leave when you like, and come back to this address."
      />
      <PageBody
        isLeading
        isInView
        aside={
          <Section title="What is missing">
            <Missing begun={begun} />
          </Section>
        }
      >
        <nav aria-label="Steps" ref={stepsRef}>
          <ol className={classes.steps}>
            {steps.map(({ name, label }, at) => (
              <li key={name}>
                <At to={placeOfStep(name, begun)} underline="never" aria-current={name === step ? 'step' : undefined}>
                  {at + 1} {label}
                </At>
              </li>
            ))}
          </ol>
        </nav>
        <Shown step={step} begun={begun} />
      </PageBody>
    </>
  )
}

function Shown({ step, begun }: { step: Step; begun: Begun }) {
  if (step === 'site') return <SiteStep begun={begun} />
  if (step === 'delivery') return <DeliveryStep begun={begun} />
  if (step === 'products') return <ProductsStep begun={begun} />
  return step === 'partner' ? <PartnerStep begun={begun} /> : <CheckStep begun={begun} />
}
