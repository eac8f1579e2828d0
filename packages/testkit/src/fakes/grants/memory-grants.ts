import {
  type AuditEvent,
  type AuthorizationCodeStore,
  type ConsentAnswerStore,
  type ConsentStore,
  type Grant,
  type GrantedAccessToken,
  type GrantStore,
  isStored,
  type RefreshToken,
  type RefreshTokenStore,
  type StoredAccessToken,
} from '@watchword/protocol';
import { type MemoryConsents, memoryConsents } from './memory-consents.ts';
import {
  type GrantRows,
  grantRows,
  type IsHeld,
  requireGrant,
  revoke,
  type StoredGrant,
} from './memory-grant-rows.ts';
import { memoryAuthorizationCodes, memoryRefreshTokens } from './memory-tokens.ts';

/** The stores of grants and of records that belong to grants. */
export interface MemoryGrants {
  readonly grants: GrantStore;
  readonly authorizationCodes: AuthorizationCodeStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly consents: ConsentStore;
  readonly remembered: MemoryConsents;
  readonly consentAnswers: ConsentAnswerStore;
  /** The token with its grant; `undefined` when the grant is revoked or removed. */
  withGrant(token: StoredAccessToken | undefined): GrantedAccessToken | undefined;
  /** Revokes the grant of a removed token if the grant has no other token. */
  tokenIsGone(token: StoredAccessToken | undefined): void;
  /** Extends the expiry of a grant to that of a changed token. */
  outlive(grantId: string | undefined, expires: number): void;
  /** Stores a token of a grant that was stored just now. */
  addRefreshToken(token: RefreshToken): void;
  /** Active grants of the owners of that name that have not expired; with `identityProvider`, of that one only. */
  ofOwner(name: string, identityProvider?: string, now?: number): Grant[];
  /** Active grants to the client that have not expired. */
  ofClient(clientRecordId: number, now: number): Grant[];
  /** Grants of all owners that are not revoked. */
  active(): Grant[];
  /** All grants, revoked ones too. */
  stored(): StoredGrant[];
  /** Refresh tokens that were not rotated. */
  unused(): RefreshToken[];
  /** Copies the grants. The returned function restores the copy. */
  remember(): () => void;
}

export interface HeldSessions {
  readonly isHeld: IsHeld;
  /** Counts an end in the sessions of the subject. */
  countEnd(subject: string): void;
}

/**
 * @param tokens access tokens, by id
 * @param events the audit log
 */
export function memoryGrants(
  tokens: Map<string, StoredAccessToken>,
  events: AuditEvent[],
  sessions: HeldSessions,
): MemoryGrants {
  const rows = grantRows(tokens);
  const { grants, refreshTokens, activeGrant, unexpired } = rows;
  const remembered = memoryConsents((grantId) => activeGrant(grantId) !== undefined);

  const outlive = (grantId: string | undefined, expires: number) => {
    const stored = grants.get(grantId ?? '');
    if (stored === undefined || stored.expires === 0) return;
    stored.expires = expires === 0 ? 0 : Math.max(stored.expires, expires);
  };

  return {
    withGrant(token) {
      if (token?.grantId === undefined) return token && { ...token, grant: undefined };
      const grant = activeGrant(token.grantId)?.grant;
      return grant && { ...token, grant };
    },

    tokenIsGone(removed) {
      if (removed?.grantId === undefined) return;
      const isUnder = ({ grantId }: { readonly grantId: string | undefined }) => grantId === removed.grantId;
      const isLeft =
        [...tokens.values()].some(isUnder) ||
        [...refreshTokens.values()].some(({ token, rotation }) => isUnder(token) && rotation === undefined);
      const unused = grants.get(removed.grantId);
      if (!isLeft) revoke(unused, unused?.lastUsed ?? 0);
    },

    outlive,

    addRefreshToken(token) {
      refreshTokens.set(token.id, { token, rotation: undefined, repetitions: 0, streak: 0 });
      outlive(token.grantId, token.expires);
    },

    ofOwner: (name, identityProvider, now = 0) =>
      unexpired(now)
        .map(({ grant }) => grant)
        .filter(({ owner }) => owner.principal.name === name)
        .filter(({ owner }) => identityProvider === undefined || owner.identityProvider === identityProvider),

    ofClient: (clientRecordId, now) =>
      unexpired(now)
        .map(({ grant }) => grant)
        .filter((grant) => grant.clientRecordId === clientRecordId),

    active: () =>
      [...grants.values()].filter(({ revokedAt }) => revokedAt === undefined).map(({ grant }) => grant),

    stored: () => [...grants.values()],

    unused: () =>
      [...refreshTokens.values()].filter(({ rotation }) => rotation === undefined).map(({ token }) => token),

    remember() {
      const copies = [...grants].map(([id, stored]) => [id, { ...stored }] as const);
      return () => {
        grants.clear();
        for (const [id, stored] of copies) grants.set(id, stored);
      };
    },

    grants: memoryGrantStore(tokens, rows, remembered, events, sessions),
    authorizationCodes: memoryAuthorizationCodes(rows, events, remembered, sessions.isHeld),
    refreshTokens: memoryRefreshTokens(rows),
    consents: remembered.store,
    remembered,

    consentAnswers: {
      isGiven: async (id) => rows.isAnswered(id),
      note: async (answer) => rows.note(answer),
    },
  };
}

function memoryGrantStore(
  tokens: Map<string, StoredAccessToken>,
  rows: GrantRows,
  remembered: MemoryConsents,
  events: AuditEvent[],
  sessions: HeldSessions,
): GrantStore {
  const { isHeld } = sessions;
  return {
    async insert(grant, accessToken, { session, answer, event } = {}) {
      if (accessToken !== undefined) requireGrant(grant.id, accessToken);
      if (!isHeld(session)) return false;
      if (answer !== undefined && !rows.note(answer)) return false;
      rows.put(grant, accessToken?.expires ?? grant.creationDate);
      if (accessToken !== undefined && isStored(accessToken)) tokens.set(accessToken.id, accessToken);
      if (event !== undefined) events.push(event);
      return true;
    },
    find: async (id) => rows.activeGrant(id)?.grant,
    revoke: async (id, now) => revoke(rows.grants.get(id), now),
    listBySubject: async (subject, now) =>
      rows
        .unexpired(now)
        .filter(({ grant }) => grant.owner.subject === subject)
        .toSorted((a, b) => (a.grant.id > b.grant.id ? -1 : 1))
        .slice(0, 1000)
        .map(({ grant, lastUsed }) => ({ grant, lastUsed })),
    async withdraw(subject, withdrawals, now) {
      sessions.countEnd(subject);
      let total = 0;
      for (const { clientRecordId, event } of withdrawals) {
        const forgotten = remembered.withdraw(subject, clientRecordId);
        const revoked = [...rows.grants.values()]
          .filter(({ grant }) => grant.clientRecordId === clientRecordId)
          .filter(({ grant }) => grant.owner.subject === subject)
          .filter((stored) => revoke(stored, now)).length;
        if (event !== undefined && revoked + forgotten > 0) events.push(event);
        total += revoked;
      }
      return total;
    },
  };
}
