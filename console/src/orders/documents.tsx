import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call, type InputOf, type Operation } from '../api/api.ts'
import { print } from '../kit/print.ts'
import { Refused } from '../kit/refused.tsx'
import { asking, type Verb } from '../kit/verbs.tsx'
import { useEnvironment } from '../shell/environment.ts'
import type { Order } from './order.ts'

type Document =
  | 'drawOrderTickets'
  | 'drawOrderPickList'
  | 'drawConfirmation'
  | 'drawPackingSlip'
  | 'drawLabels'
  | 'drawJobTicket'
  | 'drawInvoice'
  | 'downloadLabel'

/** Draws a document and opens the print window with it. */
export function usePrint<Id extends Document>(id: Id) {
  const environment = useEnvironment()
  return useMutation({
    mutationFn: async (path: InputOf<Id>['path']) =>
      print((await call(id, environment, { path } as unknown as InputOf<Id>)) as Blob),
  })
}

/** A verb that prints a document. */
export function printing<Id extends Document>(id: Id, label: string, path: InputOf<Id>['path'], hidden = false): Verb {
  return asking(id as Operation, label, (close) => <Printing id={id} label={label} path={path} close={close} />, {
    hidden,
  })
}

function Printing<Id extends Document>({
  id,
  label,
  path,
  close,
}: {
  id: Id
  label: string
  path: InputOf<Id>['path']
  close: () => void
}) {
  const draw = usePrint(id)
  return (
    <Stack gap="sm">
      <Text size="sm">The document is drawn from what is true now.</Text>
      <Refused error={draw.error} />
      <Group gap="xs">
        <Button loading={draw.isPending} onClick={() => draw.mutate(path, { onSuccess: close })} data-autofocus>
          {label}
        </Button>
        <Button variant="subtle" color="gray" onClick={close}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}

export function documents({ orderNumber }: Order): Verb[] {
  return [
    printing('drawOrderTickets', 'Print job tickets', { orderNumber }),
    printing('drawOrderPickList', 'Print pick list', { orderNumber }),
    printing('drawConfirmation', 'Print confirmation', { orderNumber }),
  ]
}
