import { useEffect, useId, useState } from 'react'
import { At, useFilters } from '../address.tsx'
import type { AnswerOf, InputOf } from '../api/client.ts'
import { isRefusal } from '../api/problems.ts'
import { useChange, useList, useRead } from '../api/queries.ts'
import { announce } from '../kit/announce.ts'
import { TextField } from '../kit/fields.tsx'
import { Empty, Loaded, Refused } from '../kit/loaded.tsx'
import { Section } from '../kit/page.tsx'
import { Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { inWords } from '../kit/words.ts'
import { lineStepRuledOut, orderStepRuledOut } from './ruled-out.ts'

type Step = AnswerOf<'listScenarios'>['steps'][number]
type Line = AnswerOf<'listOrderItems'>['items'][number]
type Asked = InputOf<'takeOrderStep'>['body']

/** Steps with an order at once, as people at the works would take them. */
export function Steps() {
  const [{ orderNumber = '' }, change] = useFilters()
  const [typed, setTyped] = useState(orderNumber)
  useEffect(() => setTyped(orderNumber), [orderNumber])
  const isNumber = /^[1-9]\d{0,14}$/.test(orderNumber)
  return (
    <Section
      title="Steps with an order"
      says="Any order on your sites. What the simulator does by itself, it does later all the same."
    >
      <form
        className="row find"
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          change({ orderNumber: typed.trim() }, 'push')
        }}
      >
        <TextField
          label="Order number"
          inputMode="numeric"
          value={typed}
          onChange={setTyped}
          placeholder="1000123"
          autoComplete="off"
          fault={orderNumber !== '' && !isNumber ? 'An order number is a positive whole number.' : undefined}
        />
        <button type="submit" className="button">
          Find
        </button>
      </form>
      {isNumber ? (
        <OrderSteps key={orderNumber} orderNumber={Number(orderNumber)} />
      ) : (
        <Recent
          onChosen={(chosen) => {
            setTyped(String(chosen))
            change({ orderNumber: String(chosen) }, 'push')
          }}
        />
      )}
    </Section>
  )
}

function Recent({ onChosen }: { onChosen: (orderNumber: number) => void }) {
  const list = useRead('listOrders', { limit: 8 })
  return (
    <Loaded query={list}>
      {({ orders }) =>
        orders.length === 0 ? (
          <Empty title="There is no order yet">Submit one, and take steps with it here.</Empty>
        ) : (
          <>
            <h3>The newest</h3>
            <ul className="plain">
              {orders.map(({ orderNumber, status, placedOn, partnerOrderId }) => (
                <li key={orderNumber} className="row">
                  <button type="button" className="button small" onClick={() => onChosen(orderNumber)}>
                    {orderNumber}
                  </button>
                  <Status value={status} />
                  <span className="soft">
                    <When at={placedOn} zone /> {partnerOrderId && <bdi>· {partnerOrderId}</bdi>}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )
      }
    </Loaded>
  )
}

/** An order with the buttons for what can be made to happen with it. */
function OrderSteps({ orderNumber }: { orderNumber: number }) {
  const order = useRead('getOrder', { orderNumber })
  const lines = useList('listOrderItems', 'items', { orderNumber })
  const scenarios = useRead('listScenarios', {})
  const [asked, setAsked] = useState<Asked>()
  const take = useChange('takeOrderStep', ({ step, orderStatus }) =>
    announce(`${inWords(step)}: done. The order is now ${inWords(orderStatus).toLowerCase()}.`),
  )
  const press = (body: Asked) => {
    if (take.isPending) return
    setAsked(body)
    take.mutate({ orderNumber, body })
  }
  if (isRefusal(order.error, 'order_not_found')) {
    return <Empty title="There is no such order">Only orders on your sites can be found, by their order number.</Empty>
  }
  const steps = scenarios.data?.steps ?? []
  const told = (of: number | undefined) =>
    asked?.itemNumber === of && (
      <>
        <Refused error={take.error} />
        {take.data && (
          <p className="note" data-tone="good" role="status">
            {inWords(take.data.step)}: done. The order is now <Status value={take.data.orderStatus} />.
          </p>
        )}
      </>
    )
  return (
    <Loaded query={order}>
      {({ status, placedOn, shippedItemCount, itemCount, awaitingProof }) => (
        <div className="card">
          <div className="head">
            <h3>Order {orderNumber}</h3>
            <Status value={status} />
          </div>
          <p className="soft">
            Placed <When at={placedOn} zone /> · {shippedItemCount} of {itemCount} lines shipped
            {awaitingProof && (
              <>
                {' · '}
                <At page="orders">a proof waits for a decision</At>
              </>
            )}
          </p>
          <Buttons
            steps={steps.filter(({ ofLine }) => !ofLine)}
            isPending={take.isPending}
            asked={asked?.itemNumber === undefined ? asked?.step : undefined}
            of={`order ${orderNumber}`}
            ruledOut={(step) => orderStepRuledOut(step, { status, shippedItemCount })}
            press={(step) => press({ step })}
          />
          {told(undefined)}
          {lines.items.map((line) =>
            line.itemNumber === null ? null : (
              <LineSteps
                key={line.itemNumber}
                line={line}
                steps={steps.filter(({ ofLine }) => ofLine)}
                isPending={take.isPending}
                asked={asked?.itemNumber === line.itemNumber ? asked.step : undefined}
                ruledOut={(step) => lineStepRuledOut(step, { status, shippedItemCount }, line)}
                press={(step) => press({ step, itemNumber: line.itemNumber! })}
              >
                {told(line.itemNumber)}
              </LineSteps>
            ),
          )}
          {lines.hasMore && (
            <button type="button" className="button small" onClick={lines.readMore}>
              Show more lines
            </button>
          )}
        </div>
      )}
    </Loaded>
  )
}

function LineSteps({
  line: { itemNumber, jobName, productName, productionStatus, proofStatus, cancelled, problem },
  children,
  ...buttons
}: { line: Line; children: React.ReactNode } & Omit<Parameters<typeof Buttons>[0], 'of'>) {
  return (
    <section className="line" aria-label={`Line ${itemNumber}`}>
      <h4>
        <bdi>{jobName ?? productName}</bdi> <span className="soft">line {itemNumber}</span>
      </h4>
      <p className="row">
        {cancelled ? <Status value="CANCELLED" /> : <Status value={productionStatus ?? 'Not in production'} />}
        {!cancelled && proofStatus !== null && (
          <span>
            Proof: <Status value={proofStatus} />
          </span>
        )}
        {problem && <Status value="Problem" tone="bad" />}
      </p>
      <Buttons {...buttons} of={`line ${itemNumber}`} />
      {children}
    </section>
  )
}

function Buttons({
  steps,
  isPending,
  asked,
  of,
  ruledOut,
  press,
}: {
  steps: readonly Step[]
  isPending: boolean
  asked: Asked['step'] | undefined
  of: string
  /** why a step cannot be taken now; undefined = it may be */
  ruledOut: (step: Asked['step']) => string | undefined
  press: (step: Asked['step']) => void
}) {
  const id = useId()
  return (
    <ul className="steps">
      {steps.map(({ step, says }) => {
        const why = ruledOut(step)
        return (
          <li key={step}>
            <button
              type="button"
              className="button small"
              aria-disabled={isPending || why !== undefined}
              data-ruled-out={why !== undefined || undefined}
              aria-label={`${inWords(step)}, ${of}`}
              aria-describedby={why && `${id}-${step}`}
              onClick={() => why === undefined && press(step)}
            >
              {isPending && asked === step ? 'One moment…' : inWords(step)}
            </button>
            <span className="soft">{says}</span>
            {why && (
              <span className="why" id={`${id}-${step}`}>
                Not now: {why.charAt(0).toLowerCase() + why.slice(1)}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
