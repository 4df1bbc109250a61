import { methodOf, pathOf } from '../../src/contract/operation.ts'
import type { StaffOperation } from '../../src/staff/operation.ts'
import { staffPathParameters, type StaffPathParameterName } from '../../src/staff/parameters.ts'
import type { Answer } from '../world/partner.ts'
import type { Staff } from '../world/staff.ts'
import type { TestService } from '../world/service.ts'
import { staffSamples, usualPath, type Sample, type SampleWorld } from './samples.ts'

/** A sample's request as it was sent, and its answer. */
export type Exchange = { sample: Sample; url: string; person: Staff; answer: Answer }

/** Makes the sample of an operation and sends it. */
export async function sendSample(world: SampleWorld, entry: StaffOperation): Promise<Exchange> {
  const sample = await staffSamples[entry.id]!(world)
  const person = sample.as ?? world.admin
  const url = urlOf(world.service, entry, sample)
  return { sample, url, person, answer: await person.call(methodOf(entry), url, sample.body, { ...sample.headers }) }
}

/** A path with a well-formed value for every parameter, whether or not a record exists for it. */
export function urlOf(service: TestService, entry: StaffOperation, sample: Sample = {}): string {
  const some = '00000000-0000-4000-8000-000000000000'
  const values: Record<string, unknown> = { ...usualPath(service), ...sample.path }
  const path = pathOf(entry).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name] ?? (isNumber(name) ? '1' : some))),
  )
  return sample.query ? `${path}?${sample.query}` : path
}

function isNumber(name: string): boolean {
  return (staffPathParameters[name as StaffPathParameterName].schema as { type?: string }).type === 'integer'
}
