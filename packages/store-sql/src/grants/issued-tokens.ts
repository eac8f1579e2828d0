import {
  type AccessToken,
  formatScope,
  type Grant,
  type Identity,
  type IssuedTokenStore,
  isStored,
  type RefreshToken,
  type RevokedToken,
} from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { statements } from '../hot/statements.ts';
import { idToBytes } from '../hot/token-id.ts';
import {
  endClientsInTransaction,
  endClientsOf,
  endTrustedBrowsers,
  type SessionEnds,
} from '../logins/session-ends.ts';
import type { AfterCommit } from '../queries/after-commit.ts';
import { runStatement } from '../queries/placing.ts';
import type { Schema } from '../schema/schema.ts';
import { rowToGrantedToken, selectTokens, unlessRevoked } from './access-token-rows.ts';
import { newGrantRow } from './grant-rows.ts';
import { parseServers, revokedTokenRow } from './revocations.ts';
import { accessTokenRow, refreshTokenRow, requireGrant } from './token-rows.ts';
import type { TokenSegments } from './token-segments.ts';

export function sqlIssuedTokens(
  db: Kysely<Schema>,
  afterCommit: AfterCommit,
  ends: SessionEnds,
  segments: TokenSegments,
): IssuedTokenStore {
  return {
    async find(id) {
      const row = await selectTokens(db).where('token.id', '=', idToBytes(id)).executeTakeFirst();
      return row && unlessRevoked(rowToGrantedToken(row));
    },

    insert: (token, grant, refreshToken) => insertIssued(db, segments, token, grant, refreshToken),

    async update(id, { scopes, expires }) {
      const updated = await db
        .updateTable('access_token')
        .set({ scopes: formatScope(scopes), expires })
        .where('id', '=', idToBytes(id))
        .returning('grant_id')
        .executeTakeFirst();
      if (updated === undefined) return false;
      if (updated.grant_id !== null) await outlive(db, updated.grant_id, expires);
      return true;
    },

    async revoke(id) {
      await runStatement(db, statements.revokeGrantOfLastToken, { except_id: id, valid_from: 0 });
      return (await runStatement(db, statements.deleteAccessToken, { id })) > 0;
    },

    revokeJwt: (token) => revokeJwt(db, token),

    async revokeGrants({ identityProvider, name }, now, limit) {
      const active = db
        .selectFrom('authorization_grant')
        .select('id')
        .where('principal_name', '=', name)
        .where('identity_provider', '=', identityProvider)
        .where('revoked_at', 'is', null)
        .limit(limit);
      const { numUpdatedRows } = await db
        .updateTable('authorization_grant')
        .set({ revoked_at: now })
        .where('id', 'in', active)
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },

    async endSession(id, now) {
      if ((await runStatement(db, statements.deleteLoginSession, { id })) === 0) return false;
      await endClientsInTransaction(db, afterCommit, ends, [idToBytes(id)], now);
      return true;
    },

    async endSessions(owner, now) {
      const ids = await deleteSessions(db, owner);
      const count = ids.length;
      await endClientsOf(db, ids, now);
      afterCommit(async (later) => {
        ids.push(...(await deleteSessions(later, owner)));
        await endClientsOf(later, ids, now);
        ends.report();
      });
      return count;
    },
  };
}

/** One that has ended at some resource servers before ends at these too. */
async function revokeJwt(db: Kysely<Schema>, token: RevokedToken): Promise<boolean> {
  let { at } = token;
  if (at !== undefined) {
    const found = await db
      .selectFrom('revoked_token')
      .select('ended_at_servers')
      .where('id', '=', idToBytes(token.id))
      .executeTakeFirst();
    const before = found && parseServers(found.ended_at_servers);
    if (found !== undefined && at.every((id) => before?.includes(id) ?? true)) return false;
    at = [...new Set([...(before ?? []), ...at])];
  }
  return (await runStatement(db, statements.insertRevokedToken, revokedTokenRow({ ...token, at }))) > 0;
}

/** A token with its grant, if it has one, and a refresh token of that. */
async function insertIssued(
  db: Kysely<Schema>,
  segments: TokenSegments,
  token: AccessToken,
  grant: Grant | undefined,
  refreshToken: RefreshToken | undefined,
): Promise<void> {
  if (token.grantId !== grant?.id) throw new Error('a token must be stored with its own grant');
  if (grant !== undefined) {
    const expires = token.expires === 0 ? 0 : Math.max(token.expires, refreshToken?.expires ?? 0);
    await runStatement(db, statements.insertGrant, newGrantRow(grant, expires));
  }
  if (refreshToken !== undefined) {
    requireGrant(refreshToken, grant?.id);
    await runStatement(db, statements.insertRefreshToken, refreshTokenRow(refreshToken));
  }
  if (isStored(token)) await runStatement(db, statements.insertAccessToken, accessTokenRow(token, segments));
}

/** Deletes the login sessions and trusted browsers of the owner. It waits for what is being stored in sessions. Resolves with their ids. */
async function deleteSessions(
  db: Kysely<Schema>,
  { identityProvider, name }: Identity,
): Promise<Uint8Array[]> {
  await endTrustedBrowsers(db, { identityProvider, name });
  const ended = await db
    .deleteFrom('login_session')
    .where('identity_provider', '=', identityProvider)
    .where('principal_name', '=', name)
    .returning('id')
    .execute();
  return ended.map(({ id }) => id);
}

/** A grant is stored at least as long as its tokens. */
async function outlive(db: Kysely<Schema>, grantId: Uint8Array, expires: number): Promise<void> {
  let grant = db.updateTable('authorization_grant').set({ expires }).where('id', '=', grantId);
  grant = grant.where('expires', '>', 0);
  if (expires > 0) grant = grant.where('expires', '<', expires);
  await grant.execute();
}
