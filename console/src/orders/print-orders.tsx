import { Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { call, type AnswerOf } from '../api/api.ts'
import { useMay } from '../api/session.ts'
import { print } from '../kit/print.ts'
import { useEnvironment } from '../shell/environment.ts'

type Order = AnswerOf<'readOrder'>
type Paper = 'drawJobTickets' | 'drawPackingSlips'

/** What the service draws into one file. */
const papersMax = 200
/** Each order is read for what it has to print. */
const ordersMax = 50

/** Prints the papers of the orders' lines and shipments that are still to be made and sent. */
export function PrintOrders({ orderNumbers }: { orderNumbers: readonly number[] }) {
  const environment = useEnvironment()
  const may = useMay()
  const printing = useMutation({
    mutationFn: async (paper: Paper) => {
      const orders: Order[] = []
      for (const orderNumber of orderNumbers) {
        orders.push(await call('readOrder', environment, { path: { orderNumber } }))
      }
      const pdf =
        paper === 'drawJobTickets'
          ? await call(paper, environment, { body: { lines: some(orders.flatMap(linesToMake)) } })
          : await call(paper, environment, { body: { shipmentNumbers: some(orders.flatMap(shipmentsToSend)) } })
      await print(pdf)
    },
    onError: (error) => notifications.show({ color: 'red', title: 'Nothing was printed', message: error.message }),
  })
  if (!may('drawJobTickets') || orderNumbers.length > ordersMax) return null
  return (
    <Menu position="top-start">
      <Menu.Target>
        <Button variant="default" loading={printing.isPending}>
          Print…
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => printing.mutate('drawJobTickets')}>Job tickets</Menu.Item>
        <Menu.Item onClick={() => printing.mutate('drawPackingSlips')}>Packing slips</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function linesToMake({ orderNumber, lines }: Order) {
  return lines
    .filter(({ productionStatus, cancelledOn, shippedOn }) => productionStatus !== null && !cancelledOn && !shippedOn)
    .map(({ lineNumber }) => ({ orderNumber, lineNumber }))
}

function shipmentsToSend({ shipments }: Order): number[] {
  return shipments.flatMap(({ shipmentNumber, status }) => (status === 'OPEN' ? [shipmentNumber] : []))
}

/** @throws Error where there is nothing to draw, or too much */
function some<Item>(papers: Item[]): Item[] {
  if (papers.length === 0) throw new Error('Nothing of these orders is still to be made or sent.')
  if (papers.length > papersMax)
    throw new Error(`These are ${papers.length} papers. Print at most ${papersMax} at once.`)
  return papers
}
