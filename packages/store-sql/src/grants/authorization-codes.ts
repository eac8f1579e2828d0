import {
  type AccessToken,
  type AuthorizationCode,
  type AuthorizationCodeStore,
  type CodeContext,
  type FoundAuthorizationCode,
  type Grant,
  isStored,
  maxCodeFailures,
  type TokenSet,
} from '@watchword/protocol';
import type { Named } from '../hot/columns.ts';
import { add, type Command, commandOf } from '../hot/command.ts';
import type { HotAccess } from '../hot/hot-access.ts';
import { lookup } from '../hot/lookup.ts';
import { statements } from '../hot/statements.ts';
import { addLoginEvent } from '../logins/event-rows.ts';
import { heldBy } from '../logins/login-sessions.ts';
import { parseScopes } from '../queries/scope-column.ts';
import { addConsent, consentOf } from './consents.ts';
import { joinedGrantColumns, joinedGrantExpressions, newGrantRow, toJoinedGrant } from './grant-rows.ts';
import { addIssued, grantIdOf } from './issue-under-grant.ts';
import { accessTokenRow, authorizationCodeRow, requireGrant } from './token-rows.ts';
import type { TokenSegments } from './token-segments.ts';

const foundColumns = {
  verifier_hash: 'bytes',
  grant_id: 'id?',
  client_record_id: 'number',
  redirect_uri: 'text?',
  code_challenge: 'text?',
  nonce: 'text?',
  dpop_jkt: 'text?',
  scopes: 'text',
  expires: 'number',
  creation_date: 'number',
  redeemed_at: 'number?',
  ...joinedGrantColumns,
} as const;

const byId = lookup(
  { id: 'id' },
  foundColumns,
  (byKey) => `authorization_code as t
    left join authorization_grant as g on ${byKey('g.id = t.grant_id', 'g')} where ${byKey('t.id = :id', 't')}`,
  { expressions: joinedGrantExpressions },
);

export function hotAuthorizationCodes(hot: HotAccess, segments: TokenSegments): AuthorizationCodeStore {
  return {
    find: (id) => hot.read(byId, { id }, (row) => toFound(id, row)),

    async insert(code, grant, { consent, ...context } = {}) {
      // The consent can be on another shard. Both in one commit would take two phases (docs/adr/0071).
      const isApart = hot.hasShards && consent !== undefined;
      const command = insertWithGrant(segments, code, grant, {
        ...context,
        consent: isApart ? undefined : consent,
      });
      if ((await hot.write(command)) === 0) return false;
      if (!isApart || (await hot.write(consentOf(consent, grant.id))) > 0) return true;
      const removal = commandOf(statements.revokeGrant, { id: grant.id, now: grant.creationDate });
      add(removal, statements.deleteCode, { id: code.id });
      await hot.write(removal);
      return false;
    },

    async recordFailure(id) {
      await hot.write(commandOf(statements.recordCodeFailure, { id }));
    },

    redeem: async (id, tokens, now) => (await hot.write(redeem(id, tokens, now, segments))) > 0,
  };
}

function insertWithGrant(
  segments: TokenSegments,
  code: AuthorizationCode,
  grant: Grant,
  { session, event, consent, accessToken }: CodeContext,
): Command {
  requireGrant(code, grant.id);
  if (accessToken !== undefined) requireGrant(accessToken, grant.id);
  const command = heldBy(session);
  add(command, statements.insertCode, authorizationCodeRow(code));
  addLoginEvent(command, event);
  if (accessToken !== undefined && isStored(accessToken))
    add(command, statements.insertAccessToken, accessTokenRow(accessToken, segments));
  add(command, statements.insertGrant, newGrantRow(grant, lastExpiry(code, accessToken)));
  if (consent !== undefined) addConsent(command, consent, grant.id);
  return command;
}

/** An access token without expiry has 0, and is the last. */
function lastExpiry({ expires }: AuthorizationCode, accessToken: AccessToken | undefined): number {
  if (accessToken === undefined) return expires;
  return accessToken.expires === 0 ? 0 : Math.max(expires, accessToken.expires);
}

function redeem(id: string, tokens: TokenSet, now: number, segments: TokenSegments): Command {
  const grant_id = grantIdOf(tokens.accessToken);
  const command = commandOf(statements.redeemCode, { id, grant_id, now, max_failures: maxCodeFailures });
  addIssued(command, tokens, now, segments);
  return command;
}

/** A row without a grant is no code: it says that a consent page was answered without one. */
function toFound(id: string, row: Named<typeof foundColumns>): FoundAuthorizationCode | undefined {
  if (row.grant_id === null) return undefined;
  return {
    code: {
      id,
      verifierHash: row.verifier_hash,
      grantId: row.grant_id,
      clientRecordId: row.client_record_id,
      redirectUri: row.redirect_uri ?? undefined,
      codeChallenge: row.code_challenge ?? undefined,
      ...(row.nonce !== null && { nonce: row.nonce }),
      ...(row.dpop_jkt !== null && { dpopJkt: row.dpop_jkt }),
      scopes: parseScopes(row.scopes),
      expires: row.expires,
      creationDate: row.creation_date,
    },
    isRedeemed: row.redeemed_at !== null,
    grant: toJoinedGrant(row.grant_id, row),
  };
}
