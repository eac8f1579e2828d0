import type { AccessTokenScan, AccessTokenStore, GrantedAccessToken } from '@watchword/protocol';
import { type Kysely, sql } from 'kysely';
import { grantSelection, rowToGrantedToken, selectTokens } from './access-token-rows.ts';
import { readTokensOfClient } from './client-tokens.ts';
import { idToBytes } from './hot/token-id.ts';
import { clientsNamed, mayContain } from './may-contain.ts';
import { onSameShard } from './same-shard.ts';
import type { Schema } from './schema.ts';
import type { TokenSegments } from './token-segments.ts';

export function accessTokenScan(db: Kysely<Schema>, segments: TokenSegments): AccessTokenStore['scan'] {
  return async (scan) => {
    switch (scan.of) {
      case 'all':
        return all(db, scan);
      case 'client':
        return ofClient(db, segments, scan);
      default:
        return byGrant(db, scan);
    }
  };
}

type ScanOf<Of extends AccessTokenScan['of']> = Extract<AccessTokenScan, { readonly of: Of }>;

async function all(
  db: Kysely<Schema>,
  { mayContain: text, limit, before }: ScanOf<'all'>,
): Promise<GrantedAccessToken[]> {
  let query = selectTokens(db).orderBy('token.id', 'desc').limit(limit);
  if (text !== undefined) query = query.where(isOfNames(text));
  if (before !== undefined) query = query.where('token.id', '<', idToBytes(before.id));
  return (await query.execute()).map(rowToGrantedToken);
}

/** Of a client or a resource owner with the text. So the grants of other tokens are not read. */
function isOfNames(text: string) {
  return sql<boolean>`(token.client_record_id in ${clientsNamed(text)} or token.grant_id in
    (select owned.id from authorization_grant as owned
      where owned.revoked_at is null and ${mayContain(text, ['owned.principal_name'])}))`;
}

async function ofClient(
  db: Kysely<Schema>,
  segments: TokenSegments,
  { clientRecordId, limit, before }: ScanOf<'client'>,
): Promise<GrantedAccessToken[]> {
  const tokens = { clientRecordId, order: 'desc', before: before && idToBytes(before.id) } as const;
  return (await readTokensOfClient(db, segments, tokens, limit, selectTokens(db))).map(rowToGrantedToken);
}

/** Reads an index of the grants of an owner, and for each grant the index of its tokens, in the order of both. */
async function byGrant(db: Kysely<Schema>, scan: ScanOf<'owner' | 'subject'>): Promise<GrantedAccessToken[]> {
  const ofEveryProvider = scan.of === 'owner' && scan.identityProvider === undefined;
  let query = db
    .selectFrom('authorization_grant as g')
    .innerJoin('access_token as token', (join) =>
      join.onRef('token.grant_id', '=', 'g.id').on(onSameShard('token', 'g')),
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
