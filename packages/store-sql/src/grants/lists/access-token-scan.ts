import type { AccessTokenScan, AccessTokenStore, GrantedAccessToken } from '@watchword/protocol';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { idFromBytes, idToBytes } from '../../hot/token-id.ts';
import { fewRows, isNamed, isOfNamed, type NamedIds, namedIds, newestOf } from '../../queries/named-rows.ts';
import { together } from '../../queries/placing.ts';
import { isForOneOf } from '../../queries/scope-column.ts';
import type { Schema } from '../../schema/schema.ts';
import { grantSelection, rowToGrantedToken, selectTokens } from '../access-token-rows.ts';
import { readByIds, readTokensOfClient } from '../client-tokens.ts';
import type { TokenSegments } from '../token-segments.ts';

export function accessTokenScan(db: Kysely<Schema>, segments: TokenSegments): AccessTokenStore['scan'] {
  return async (scan) => {
    switch (scan.of) {
      case 'all':
        return all(db, segments, scan);
      case 'client':
        return ofClient(db, segments, scan);
      default:
        return byGrant(db, scan);
    }
  };
}

type ScanOf<Of extends AccessTokenScan['of']> = Extract<AccessTokenScan, { readonly of: Of }>;

const namedBy = { client: 'token.client_record_id', grant: 'token.grant_id', owner: 'g.principal_name' };

async function all(
  db: Kysely<Schema>,
  segments: TokenSegments,
  { mayContain: text, limit, before }: ScanOf<'all'>,
): Promise<GrantedAccessToken[]> {
  const isBefore =
    before === undefined ? sql<boolean>`true` : sql<boolean>`token.id < ${idToBytes(before.id)}`;
  let query = selectTokens(db).where(isBefore).orderBy('token.id', 'desc').limit(limit);
  if (text !== undefined) {
    const { isNewest, isAll } = await newestOf(db, 'access_token', isBefore);
    const newest = query.where(isNewest('token.id')).where(isNamed(text, namedBy));
    const rows = await newest.execute();
    if (isAll || rows.length === limit) return rows.map(rowToGrantedToken);
    const found = await namedIds(db, text);
    const ids = found && (await tokenIds(db, segments, found, isBefore));
    if (ids !== undefined) {
      return (await readByIds(ids, { order: 'desc' }, limit, selectTokens(db))).map(rowToGrantedToken);
    }
    query = query.where(isOfNamed(found, text, namedBy));
  }
  return (await query.execute()).map(rowToGrantedToken);
}

/** `undefined` if they are not few. */
async function tokenIds(
  db: Kysely<Schema>,
  segments: TokenSegments,
  { clients, grants }: NamedIds,
  isBefore: RawBuilder<boolean>,
): Promise<readonly Uint8Array[] | undefined> {
  const tokens = db
    .selectFrom('access_token as token')
    .select('token.id')
    .where(isBefore)
    .limit(fewRows + 1);
  const found: { readonly id: Uint8Array }[] = [];
  if (grants.length > 0) found.push(...(await tokens.where('token.grant_id', 'in', grants).execute()));
  if (clients.length > 0) {
    const listed = await segments.list(db);
    const ofClients = tokens.where('token.client_record_id', 'in', clients);
    const inSegments = listed === undefined ? ofClients : ofClients.where('token.segment', 'in', listed);
    if (listed?.length !== 0) found.push(...(await inSegments.execute()));
  }
  if (found.length > fewRows) return undefined;
  // A token is found by its client and by its grant.
  return [...new Map(found.map(({ id }) => [idFromBytes(id), id])).values()];
}

async function ofClient(
  db: Kysely<Schema>,
  segments: TokenSegments,
  { clientRecordId, acting, limit, before }: ScanOf<'client'>,
): Promise<GrantedAccessToken[]> {
  const tokens = { clientRecordId, order: 'desc', before: before && idToBytes(before.id) } as const;
  let query = selectTokens(db);
  if (acting !== undefined)
    query = query.where('token.grant_id', 'is', null).where(isForOneOf(acting.at, 'token'));
  return (await readTokensOfClient(db, segments, tokens, limit, query)).map(rowToGrantedToken);
}

/** Reads an index of the grants of an owner, and for each grant the index of its tokens, in the order of both. */
async function byGrant(db: Kysely<Schema>, scan: ScanOf<'owner' | 'subject'>): Promise<GrantedAccessToken[]> {
  const ofEveryProvider = scan.of === 'owner' && scan.identityProvider === undefined;
  let query = db
    .selectFrom('authorization_grant as g')
    .innerJoin('access_token as token', (join) =>
      join.onRef('token.grant_id', '=', 'g.id').on(together('token', 'g')),
    )
    .selectAll('token')
    .select(grantSelection)
    .where('g.revoked_at', 'is', null)
    .limit(scan.limit);
  if (scan.of === 'subject') query = query.where('g.subject', '=', scan.subject);
  else {
    query = query.where('g.principal_name', '=', scan.name).orderBy('g.identity_provider', 'desc');
    const { identityProvider } = scan;
    if (identityProvider !== undefined) query = query.where('g.identity_provider', '=', identityProvider);
  }
  if (scan.before !== undefined) {
    const { grantId, id, identityProvider = '' } = scan.before;
    if (grantId === undefined) throw new Error('a scan by grant continues after a token of a grant');
    const grant = idToBytes(grantId);
    // The first condition finds the place in the index. The second reads the remaining tokens of the last grant. Within one
    // identity provider it must not be a comparison of pairs, because SQLite would not enter the index at the id.
    query = query
      .where(({ eb, refTuple, tuple }) =>
        ofEveryProvider
          ? eb(refTuple('g.identity_provider', 'g.id'), '<=', tuple(identityProvider, grant))
          : eb('g.id', '<=', grant),
      )
      .where(({ eb, or }) => or([eb('g.id', '<>', grant), eb('token.id', '<', idToBytes(id))]));
  }
  const rows = await query.orderBy('g.id', 'desc').orderBy('token.id', 'desc').execute();
  return rows.map(rowToGrantedToken);
}
