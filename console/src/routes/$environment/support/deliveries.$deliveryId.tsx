import { createFileRoute } from '@tanstack/react-router'
import { At } from '../../../kit/at.tsx'
import { PageBody } from '../../../kit/page-body.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { DeliveryDetail } from '../../../support/delivery-list.tsx'

export const Route = createFileRoute('/$environment/support/deliveries/$deliveryId')({ component: DeliveryPage })

function DeliveryPage() {
  const { deliveryId } = Route.useParams()
  return (
    <>
      <PageHead
        title="Delivery"
        about={<span data-varies>{deliveryId}</span>}
        above={<At to="/support?tab=deliveries">Support</At>}
      />
      <PageBody>
        <DeliveryDetail deliveryId={Number(deliveryId)} />
      </PageBody>
    </>
  )
}
