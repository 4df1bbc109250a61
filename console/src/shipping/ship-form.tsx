import { Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { isRefusal, Refusal } from '../api/problems.ts'
import { list, useChange } from '../api/queries.ts'
import { Refused } from '../kit/refused.tsx'
import { Section } from '../kit/section.tsx'
import { useEnvironment } from '../shell/environment.ts'
import type { Shipment } from './order-at-bench.tsx'
import type { Shipped } from './shipped-news.tsx'

type Package = { key: number; weightOunces: string; trackingNumber: string }

/** Weights and tracking numbers of the packages, and the button that ships what is ticked. */
export function ShipForm({
  orderNumber,
  shipment,
  ticked,
  onShipped,
}: {
  orderNumber: number
  shipment: Shipment
  ticked: ReadonlySet<number>
  onShipped: (shipped: Shipped) => void
}) {
  const environment = useEnvironment()
  const { shipmentNumber, items } = shipment
  const path = { orderNumber, shipmentNumber }
  const [packages, setPackages] = useState<readonly Package[]>([{ key: 1, weightOunces: '', trackingNumber: '' }])
  const labels = useInfiniteQuery(list(environment, 'listLabels', { path }, { live: ['shipment'] }))
  const bought = (labels.data?.pages ?? []).flatMap((page) => page.labels).filter(({ status }) => status === 'BOUGHT')
  const isLabelled = bought.length > 0
  // A shipment leaves with labels of the carrier for all of its packages, or for none.
  const unlabelled = packages.filter(({ key }) => !bought.some(({ packageNumber }) => packageNumber === key))
  const buy = useChange('buyLabel')
  // Told before the page is read anew, since this form goes away once the shipment has left.
  const ship = useChange('ship', {
    onDone: () => onShipped({ orderNumber, shipmentNumber, labelIds: bought.map(({ labelId }) => labelId) }),
  })
  const firstWeight = useRef<HTMLInputElement>(null)

  const leaving = items.filter(({ lineNumber }) => ticked.has(lineNumber))
  const isWhole = leaving.length === items.length
  const isBlocked = leaving.length === 0 || (isLabelled && unlabelled.length > 0)
  // Once all is in the box the next thing is its weight; Enter there ships.
  useEffect(() => {
    if (isWhole) firstWeight.current?.focus()
  }, [isWhole])

  const change = (key: number, changes: Partial<Package>) =>
    setPackages((before) => before.map((each) => (each.key === key ? { ...each, ...changes } : each)))
  const addPackage = () => {
    const key = Math.max(0, ...packages.map((each) => each.key), ...bought.map((each) => each.packageNumber)) + 1
    setPackages([...packages, { key, weightOunces: '', trackingNumber: '' }])
  }
  const faults = ship.error instanceof Refusal ? ship.error.faults : []
  const faultOf = (at: number, name: string) => faults.find((each) => each.path === `packages[${at}].${name}`)?.detail
  const shown = packages.flatMap((_, at) => [`packages[${at}].weightOunces`, `packages[${at}].trackingNumber`])
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (isBlocked || ship.isPending) return
    const body = {
      ...(!isWhole && { items: leaving }),
      ...(!isLabelled && {
        packages: packages.map(({ weightOunces, trackingNumber }) => ({
          weightOunces: weightOunces.trim() || null,
          trackingNumber: trackingNumber.trim() || null,
        })),
      }),
    }
    ship.mutate({ path, body })
  }
  return (
    <Section title="Packages">
      <form onSubmit={send}>
        <Stack gap="sm">
          {bought.map(({ labelId, packageNumber, trackingNumber, weightOunces, carrierService }) => (
            <Text key={labelId} size="sm">
              {`Package ${packageNumber}: label of ${carrierService}, ${weightOunces} oz, ${trackingNumber ?? 'no tracking number'}`}
            </Text>
          ))}
          {unlabelled.map(({ key, weightOunces, trackingNumber }, at) => (
            <Fieldset key={key} legend={`Package ${key}`} p="xs" onKeyDown={enterInEmptyField}>
              <Group gap="xs" align="flex-start">
                <TextInput
                  ref={at === 0 ? firstWeight : undefined}
                  label="Weight in ounces"
                  inputMode="decimal"
                  autoComplete="off"
                  w={130}
                  value={weightOunces}
                  error={faultOf(at, 'weightOunces')}
                  onChange={(event) => change(key, { weightOunces: event.currentTarget.value })}
                />
                {!isLabelled && (
                  <TextInput
                    label="Tracking number"
                    autoComplete="off"
                    flex={1}
                    miw={150}
                    value={trackingNumber}
                    error={faultOf(at, 'trackingNumber')}
                    onChange={(event) => change(key, { trackingNumber: event.currentTarget.value })}
                  />
                )}
              </Group>
              <Group gap="xs" mt="xs">
                <Button
                  variant="default"
                  loading={buy.isPending}
                  onClick={() =>
                    buy.mutate({
                      path,
                      body: { packageNumber: key, ...(weightOunces.trim() && { weightOunces: weightOunces.trim() }) },
                    })
                  }
                >
                  {`Buy a carrier's label for package ${key}`}
                </Button>
                {(isLabelled || packages.length > 1) && (
                  <Button
                    variant="subtle"
                    color="gray"
                    onClick={() => setPackages((before) => before.filter((each) => each.key !== key))}
                  >
                    {`Remove package ${key}`}
                  </Button>
                )}
              </Group>
            </Fieldset>
          ))}
          <Refused error={buy.error} />
          {isRefusal(buy.error, 'carriers_not_set_up') && (
            <Text size="sm">Make the label with the carrier, and type its tracking number above.</Text>
          )}
          <Refused error={ship.error} except={shown} />
          <Group gap="xs">
            <Button type="submit" size="md" loading={ship.isPending} disabled={isBlocked}>
              {isWhole || leaving.length === 0
                ? `Ship shipment ${shipmentNumber}`
                : `Ship ${leaving.length} of ${items.length} items, the rest later`}
            </Button>
            <Button variant="default" onClick={addPackage}>
              Add a package
            </Button>
          </Group>
          {leaving.length === 0 && <Text size="sm">Scan or tick what is in the box.</Text>}
          {isLabelled && unlabelled.length > 0 && (
            <Text size="sm">Each package needs a label of the carrier, or is removed.</Text>
          )}
        </Stack>
      </form>
    </Section>
  )
}

/** Enter ships from a field that is filled. A scanner that sends it twice, or reads nothing, ships nothing. */
function enterInEmptyField(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement && event.target.value.trim() === '')
    event.preventDefault()
}
