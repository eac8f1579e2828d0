import type { FoundRefreshToken, RefreshTokenStore, Rotation, TokenPair } from '@watchword/protocol';
import type { Named } from '../hot/columns.ts';
import { type Command, commandOf } from '../hot/command.ts';
import type { HotAccess } from '../hot/hot-access.ts';
import { lookup } from '../hot/lookup.ts';
import { outcomeOf } from '../hot/repetition-outcomes.ts';
import { statements } from '../hot/statements.ts';
import { parseScopes } from '../queries/scope-column.ts';
import { joinedGrantColumns, joinedGrantExpressions, toJoinedGrant } from './grant-rows.ts';
import { addIssued, grantIdOf } from './issue-under-grant.ts';
import type { TokenSegments } from './token-segments.ts';

const foundColumns = {
  verifier_hash: 'bytes',
  grant_id: 'id',
  client_record_id: 'number',
  scopes: 'text',
  expires: 'number',
  absolute_expires: 'number',
  confirmation: 'text?',
  creation_date: 'number',
  rotated_at: 'number?',
  sealed_answer: 'text?',
  has_unused_successor: 'number',
  ...joinedGrantColumns,
} as const;

const byId = lookup(
  { id: 'id' },
  foundColumns,
  (byKey) => `refresh_token as t
    join authorization_grant as g on ${byKey('g.id = t.grant_id', 'g')} and +g.revoked_at is null
    where ${byKey('t.id = :id', 't')}`,
  {
    expressions: {
      has_unused_successor: (byKey) => `case when exists (select 1 from refresh_token as s
        where ${byKey('s.id = t.successor_id', 's')} and s.rotated_at is null) then 1 else 0 end`,
      ...joinedGrantExpressions,
    },
  },
);

export function hotRefreshTokens(hot: HotAccess, segments: TokenSegments): RefreshTokenStore {
  return {
    find: (id) => hot.read(byId, { id }, (row) => toFound(id, row)),

    rotate: async (id, tokens, sealedAnswer, now) =>
      (await hot.write(rotate(id, tokens, sealedAnswer, now, segments))) > 0,

    async use(id, accessToken, expires, now) {
      const command = commandOf(statements.keepRefreshToken, {
        id,
        grant_id: grantIdOf(accessToken),
        expires,
      });
      addIssued(command, { accessToken, refreshToken: undefined, keptUntil: expires }, now, segments);
      return (await hot.write(command)) > 0;
    },

    async repeatRotation(id, { repetitions, streak }) {
      const limits = { id, max_repetitions: repetitions, max_streak: streak };
      return outcomeOf(await hot.write(commandOf(statements.repeatRotation, limits)));
    },
  };
}

function rotate(
  id: string,
  tokens: TokenPair,
  sealedAnswer: string,
  now: number,
  segments: TokenSegments,
): Command {
  const command = commandOf(statements.rotateRefreshToken, {
    id,
    grant_id: grantIdOf(tokens.accessToken),
    now,
    sealed_answer: sealedAnswer,
    successor_id: tokens.refreshToken.id,
  });
  addIssued(command, { ...tokens, predecessorId: id }, now, segments);
  return command;
}

function toFound(id: string, row: Named<typeof foundColumns>): FoundRefreshToken | undefined {
  const grant = toJoinedGrant(row.grant_id, row);
  if (grant === undefined) return undefined;
  return {
    token: {
      id,
      verifierHash: row.verifier_hash,
      grantId: row.grant_id,
      clientRecordId: row.client_record_id,
      scopes: parseScopes(row.scopes),
      expires: row.expires,
      absoluteExpires: row.absolute_expires,
      creationDate: row.creation_date,
      ...(row.confirmation !== null && { confirmation: JSON.parse(row.confirmation) }),
    },
    rotation: rotationOf(row),
    grant,
  };
}

function rotationOf(row: Named<typeof foundColumns>): Rotation | undefined {
  const { rotated_at, sealed_answer, has_unused_successor } = row;
  if (rotated_at === null || sealed_answer === null) return undefined;
  return {
    at: rotated_at,
    sealedAnswer: sealed_answer === '' ? undefined : sealed_answer,
    // A successor that the purge has removed is also not the current token of the family.
    successorIsRotated: has_unused_successor === 0,
  };
}
