import type { Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Change } from '../vocabulary/change.ts'

/** One thing that a partner took over: how it is named in paths and answers, and what people call it. */
export type Gain = { id: string; name: string | null }

/**
 * What a partner takes over from another: grants, capabilities, credentials, people, addresses for alerts, and its brand
 * unless the partner has one. Answers all that it did not have before.
 */
export async function takeOver(
  tx: Transaction,
  change: Change,
  from: string,
  into: string,
): Promise<
  Record<'sites' | 'capabilities' | 'clients' | 'certificates' | 'people' | 'alertEmails' | 'brands', Gain[]>
> {
  const sites = await tx.rows<Gain>(sql`
    with granted as (
      insert into partner_site (partner_id, site_id, granted_on)
      select ${into}::uuid, site_id, ${change.now} from partner_site where partner_id = ${from}
      on conflict do nothing returning site_id
    )
    select site_id::text as id, site.name from granted join site using (site_id) order by site_id`)
  await tx.rows(sql`delete from partner_site where partner_id = ${from}`)
  const added = await tx.row<{ capabilities: string[] }>(sql`
    with former as (select capabilities from partner where partner_id = ${from}),
      own as (select capabilities from partner where partner_id = ${into}),
      added as (
        select array(select unnest(former.capabilities) except select unnest(own.capabilities) order by 1) as capabilities
        from former, own
      ),
      changed as (
        update partner set capabilities = partner.capabilities || added.capabilities, updated_on = ${change.now}
        from added where partner_id = ${into}
      )
    select capabilities from added`)
  const clients = await tx.rows<Gain>(sql`
    update app_client set partner_id = ${into} where partner_id = ${from} returning client_id as id, label as name`)
  const certificates = await tx.rows<Gain>(sql`
    update partner_certificate set partner_id = ${into} where partner_id = ${from}
    returning certificate_id::text as id, subject_dn as name`)
  const people = await tx.rows<Gain>(sql`
    update partner_person set partner_id = ${into} where partner_id = ${from}
    returning person_id::text as id, username as name`)
  const told = await tx.row<{ emails: string[]; brand: string | null }>(sql`
    with former as (select * from partner where partner_id = ${from}),
      own as (select * from partner where partner_id = ${into}),
      added as (
        select coalesce(array_agg(email), '{}') as emails
        from former, own, unnest(former.alert_emails) as email
        where lower(email) <> all(select lower(known) from unnest(own.alert_emails) as known)
      ),
      branded as (
        select own.brand_name is null and former.brand_name is not null as takes from former, own
      ),
      changed as (
        update partner set
          alert_emails = partner.alert_emails || added.emails,
          brand_name = case when takes then former.brand_name else partner.brand_name end,
          brand_color = case when takes then former.brand_color else partner.brand_color end,
          brand_logo = case when takes then former.brand_logo else partner.brand_logo end,
          support_email = case when takes then former.support_email else partner.support_email end,
          sender_address = case when takes then former.sender_address else partner.sender_address end
        from former, added, branded where partner.partner_id = ${into}
      ),
      emptied as (
        -- A logo belongs to one partner, so that replacing it removes a file that nobody else shows.
        update partner set alert_emails = '{}', brand_logo = case when takes then null else partner.brand_logo end
        from branded where partner.partner_id = ${from}
      )
    select emails, case when takes then former.brand_name end as brand from added, branded, former`)
  const { emails, brand } = told!
  return {
    sites,
    capabilities: added!.capabilities.map((id) => ({ id, name: null })),
    clients,
    certificates,
    people,
    alertEmails: emails.map((id) => ({ id, name: null })),
    brands: brand === null ? [] : [{ id: from, name: brand }],
  }
}

/** From now on the partner stays disabled, and is given nothing. */
export async function markMerged(tx: Transaction, from: string, into: string): Promise<void> {
  await tx.rows(sql`update partner set merged_into = ${into} where partner_id = ${from}`)
}
