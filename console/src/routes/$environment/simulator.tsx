import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { list, read } from '../../api/queries.ts'
import { At } from '../../kit/at.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { countOf } from '../../kit/number.ts'
import { PageBody } from '../../kit/page-body.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { Section } from '../../kit/section.tsx'
import { inWords } from '../../kit/status.tsx'
import { asking, Verbs } from '../../kit/verbs.tsx'
import { When } from '../../kit/when.tsx'
import classes from '../../partners/partners.module.css'
import { useEnvironment } from '../../shell/environment.ts'
import { Advance, ResetPartner, TakeStep } from '../../simulator/asked.tsx'
import { aheadInWords } from '../../simulator/own-clock.tsx'
import own from '../../simulator/simulator.module.css'
import type { SandboxPartner } from '../../simulator/sandbox-partner.ts'

export const Route = createFileRoute('/$environment/simulator')({ component: SimulatorPage })

/** The clocks of the sandbox's partners, and what can be made to happen there. */
function SimulatorPage() {
  const environment = useEnvironment()
  const partners = useInfiniteQuery(list(environment, 'listSandboxPartners', {}, { live: ['order'] }))
  return (
    <>
      <PageHead
        title="Sandbox"
        about="Each partner has a clock of its own. What is due happens when its clock gets there."
        actions={
          <Verbs
            verbs={[asking('takeSandboxStep', 'Take a step with an order…', (close) => <TakeStep close={close} />)]}
          />
        }
      />
      <PageBody aside={<Scenarios />}>
        <Section title="Partners">
          <Loaded query={partners}>
            {({ pages }) => {
              const all = pages.flatMap((page) => page.partners)
              return all.length === 0 ? (
                <Empty title="There is no partner in the sandbox">Onboard one, or copy one from production.</Empty>
              ) : (
                <ul className={classes.list}>
                  {all.map((partner) => (
                    <OnePartner key={partner.partnerId} partner={partner} />
                  ))}
                </ul>
              )
            }}
          </Loaded>
        </Section>
      </PageBody>
    </>
  )
}

function OnePartner({ partner }: { partner: SandboxPartner }) {
  return (
    <li>
      <div className={own.partner}>
        <At to={`/partners/${partner.partnerId}`}>{partner.name}</At>
        <div className={classes.soft}>
          Its clock shows <When at={partner.now} />
          {partner.aheadSeconds >= 60 && `, ${aheadInWords(partner.aheadSeconds)} ahead`} ·{' '}
          {countOf(partner.orders, 'order')}
        </div>
      </div>
      <Verbs
        label={`More for ${partner.name}`}
        verbs={[
          asking('advancePartnerClock', 'Advance the clock…', (close) => <Advance partner={partner} close={close} />, {
            quiet: true,
          }),
          asking('resetSandboxPartner', 'Reset…', (close) => <ResetPartner partner={partner} close={close} />, {
            danger: true,
          }),
        ]}
      />
    </li>
  )
}

function Scenarios() {
  const scenarios = useQuery(read(useEnvironment(), 'readSandboxScenarios', {}))
  return (
    <Loaded query={scenarios}>
      {({ plan, magicInputs }) => (
        <>
          <Section title="What happens by itself">
            <ul className={classes.list}>
              {plan.map(({ step, afterMinutes, when }) => (
                <li key={`${step} ${when}`}>
                  <div>
                    {inWords(step)}
                    <div className={classes.soft}>
                      <WithCode text={when} />
                    </div>
                  </div>
                  <span className="numbers">{afterMinutes} min</span>
                </li>
              ))}
            </ul>
          </Section>
          <Section title="Inputs that make something happen">
            <ul className={classes.list}>
              {magicInputs.map(({ field, value, effect }) => (
                <li key={`${field} ${value}`}>
                  <div>
                    {field} <code>{String(value)}</code>
                    <div className={classes.soft}>
                      <WithCode text={effect} />
                    </div>
                  </div>
                </li>
              ))}
            </ul>
          </Section>
        </>
      )}
    </Loaded>
  )
}

/** A sentence of the service, in which values to type stand between backticks. */
function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))
}
