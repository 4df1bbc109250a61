import type { ReactNode } from 'react'
import { Refusal, Unreachable } from '../src/api/problems.ts'
import { Empty } from '../src/kit/empty.tsx'
import { Facts } from '../src/kit/facts.tsx'
import { Failed } from '../src/kit/failed.tsx'
import { Money } from '../src/kit/money.tsx'
import { Refused } from '../src/kit/refused.tsx'
import { Status } from '../src/kit/status.tsx'
import { Waiting } from '../src/kit/waiting.tsx'

const refusal = (code: string, status: number, detail: string) =>
  new Refusal({ code, status, detail, requestId: '6f1f3f0e-0000-4000-8000-000000000001' })

const statuses = [
  'PENDING_APPROVAL',
  'IN_PRODUCTION',
  'SHIPPED',
  'DECLINED',
  'NOT_STARTED',
  'RUSH',
  'passed_with_warnings',
]

export const exhibits: Readonly<Record<string, ReactNode>> = {
  Status: (
    <p style={{ display: 'flex', gap: 16, flexWrap: 'wrap' }}>
      {statuses.map((value) => (
        <Status key={value} value={value} />
      ))}
      <Status value={null} />
    </p>
  ),
  Money: (
    <p>
      <Money amount="1234567.80" currency="USD" /> · <Money amount="-12.5" currency="EUR" /> ·{' '}
      <Money amount="980" currency="JPY" /> · <Money amount={null} currency="USD" />
    </p>
  ),
  Facts: (
    <Facts
      facts={[
        ['Ship to', 'Łukasz Żółć, 東京都 千代田区'],
        ['Purchase order', null],
        ['A value that is long', 'x'.repeat(160)],
      ]}
    />
  ),
  Refused: (
    <Refused
      error={refusal(
        'order_shipped',
        409,
        'The order has shipped. What has shipped is not cancelled; announce a return instead.',
      )}
    />
  ),
  'Failed, an outage': (
    <Failed
      error={refusal('service_unavailable', 503, 'The database does not answer at present. Nothing was changed.')}
      retry={() => undefined}
    />
  ),
  'Failed, not reached': <Failed error={new Unreachable()} retry={() => undefined} />,
  'Failed, not for these roles': (
    <Failed error={refusal('not_permitted', 403, 'This needs the permission orders:refund.')} />
  ),
  Empty: <Empty title="Nothing waits here">New proofs appear by themselves.</Empty>,
  Waiting: <Waiting />,
}
