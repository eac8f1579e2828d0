import { type Kysely, sql } from 'kysely';
import { together } from '../../queries/placing.ts';
import type { Schema } from '../../schema/schema.ts';

/** A grant, or a remembered consent whose grant is removed, as both tables are read together. */
export interface EntryRow {
  readonly is_grant: number;
  readonly id: Uint8Array;
  readonly client_record_id: number;
  readonly identity_provider: string;
  readonly principal_name: string;
  readonly subject: string;
  readonly scopes: string;
  readonly creation_date: number;
  /** The others are those of a grant. JSON. */
  readonly principal: string | null;
  readonly last_used: number | null;
  readonly expires: number | null;
  readonly revoked_at: number | null;
  readonly refresh_tokens: number | null;
  readonly access_tokens: number | null;
}

/** Which columns of entries are read. Of a place the principal and what other tables have are null. */
export type Columns = 'all' | 'place';

// A union has one type for a column, which no null has by itself.
const noText = sql<string | null>`cast(null as text)`;
const noNumber = sql<number | null>`cast(null as bigint)`;

/** @param client SQL of the record id of the client: that of the table by which the rows are ordered */
export function grantSelection(now: number, columns: Columns, client = 'g.client_record_id') {
  const isRead = columns === 'all';
  const refreshTokens = sql<number | null>`(select count(*) from refresh_token as r
    where r.grant_id = g.id and ${together('r', 'g')} and r.rotated_at is null and r.expires > ${now})`;
  const accessTokens = sql<number | null>`(select count(*) from access_token as t
    where t.grant_id = g.id and ${together('t', 'g')} and (t.expires = 0 or t.expires > ${now}))`;
  return [
    sql<number>`1`.as('is_grant'),
    sql.ref<Uint8Array>('g.id').as('id'),
    sql.ref<number>(client).as('client_record_id'),
    sql.ref<string>('g.identity_provider').as('identity_provider'),
    sql.ref<string>('g.principal_name').as('principal_name'),
    sql.ref<string>('g.subject').as('subject'),
    sql.ref<string>('g.scopes').as('scopes'),
    sql.ref<number>('g.creation_date').as('creation_date'),
    (isRead ? sql.ref<string | null>('g.principal') : noText).as('principal'),
    sql.ref<number | null>('g.last_used').as('last_used'),
    sql.ref<number | null>('g.expires').as('expires'),
    sql.ref<number | null>('g.revoked_at').as('revoked_at'),
    (isRead ? refreshTokens : noNumber).as('refresh_tokens'),
    (isRead ? accessTokens : noNumber).as('access_tokens'),
  ] as const;
}

export function consentSelection(client = 'c.client_record_id') {
  return [
    sql<number>`0`.as('is_grant'),
    sql.ref<Uint8Array>('c.grant_id').as('id'),
    sql.ref<number>(client).as('client_record_id'),
    sql.ref<string>('c.identity_provider').as('identity_provider'),
    sql.ref<string>('c.principal_name').as('principal_name'),
    sql.ref<string>('c.subject').as('subject'),
    sql.ref<string>('c.scopes').as('scopes'),
    sql.ref<number>('c.saved_at').as('creation_date'),
    noText.as('principal'),
    noNumber.as('last_used'),
    noNumber.as('expires'),
    noNumber.as('revoked_at'),
    noNumber.as('refresh_tokens'),
    noNumber.as('access_tokens'),
  ] as const;
}

export function grantEntries(db: Kysely<Schema>, now: number, columns: Columns = 'all') {
  return db.selectFrom('authorization_grant as g').select(grantSelection(now, columns));
}

/** The consents whose grant is removed. */
export function consentEntries(db: Kysely<Schema>) {
  return db.selectFrom('consent as c').select(consentSelection()).where('c.grant_removed', '>', 0);
}
