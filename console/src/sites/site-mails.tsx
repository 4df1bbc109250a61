import { useQuery } from '@tanstack/react-query'
import { revisionOf, type AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { Facts } from '../kit/facts.tsx'
import { ChoiceField, Form, useForm } from '../kit/form.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { Section } from '../kit/section.tsx'
import { useEnvironment } from '../shell/environment.ts'

const mails = [
  ['orderConfirmation', 'An order was placed'],
  ['proofWaiting', 'A proof waits for a decision'],
  ['shipmentShipped', 'A shipment left'],
] as const

const whose = [
  { value: 'NONE', label: 'Nobody is written to' },
  { value: 'OWN_ORDERS', label: 'For orders that came without a partner' },
  { value: 'ALL_ORDERS', label: 'For all orders' },
]

type Mails = AnswerOf<'readSiteMails'>

/** Which orders of the site send mails to their customers. */
export function SiteMails({ siteId }: { siteId: number }) {
  const may = useMay()
  const found = useQuery(read(useEnvironment(), 'readSiteMails', { path: { siteId } }))
  return (
    <PageBody>
      <Section title="Mails to customers">
        <Loaded query={found}>
          {(kept) =>
            may('setSiteMails') ? (
              <MailForm siteId={siteId} kept={kept} />
            ) : (
              <Facts
                facts={mails.map(([name, label]) => [label, whose.find(({ value }) => value === kept[name])?.label])}
              />
            )
          }
        </Loaded>
      </Section>
    </PageBody>
  )
}

function MailForm({ siteId, kept }: { siteId: number; kept: Mails }) {
  const form = useForm('setSiteMails', {
    initial: {
      orderConfirmation: kept.orderConfirmation as string,
      proofWaiting: kept.proofWaiting as string,
      shipmentShipped: kept.shipmentShipped as string,
    },
    revision: revisionOf(kept),
    // The choices are those of the contract.
    input: (values) => ({ path: { siteId }, body: values as Mails }),
  })
  return (
    <Form form={form} submit="Save the mails">
      {mails.map(([name, label]) => (
        <ChoiceField key={name} form={form} name={name} label={label} data={whose} />
      ))}
    </Form>
  )
}
