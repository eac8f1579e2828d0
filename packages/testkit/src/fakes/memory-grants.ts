import {
  type AccessToken,
  type AuditEvent,
  type AuthorizationCodeStore,
  type ConsentAnswer,
  type ConsentAnswerStore,
  type ConsentStore,
  type Grant,
  type GrantedAccessToken,
  type GrantStore,
  maxCodeFailures,
  type RefreshToken,
  type RefreshTokenStore,
  type TokenSet,
} from '@watchword/protocol';
import { type MemoryConsents, memoryConsents } from './memory-consents.ts';
import {
  requireGrant,
  requireGrants,
  type StoredCode,
  type StoredGrant,
  type StoredRefreshToken,
} from './memory-grant-rows.ts';

/** The stores of grants and of records that belong to grants. */
export interface MemoryGrants {
  readonly grants: GrantStore;
  readonly authorizationCodes: AuthorizationCodeStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly consents: ConsentStore;
  readonly remembered: MemoryConsents;
  readonly consentAnswers: ConsentAnswerStore;
  /** The token with its grant; `undefined` when the grant is revoked or removed. */
  withGrant(token: AccessToken | undefined): GrantedAccessToken | undefined;
  /** Revokes the grant of a removed token if the grant has no other token. */
  tokenIsGone(token: AccessToken | undefined): void;
  /** Extends the expiry of a grant to that of a changed token. */
  outlive(grantId: string | undefined, expires: number): void;
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

/**
 * @param tokens access tokens, by id
 * @param events the audit log
 */
export function memoryGrants(tokens: Map<string, AccessToken>, events: AuditEvent[]): MemoryGrants {
  const grants = new Map<string, StoredGrant>();
  const codes = new Map<string, StoredCode>();
  const refreshTokens = new Map<string, StoredRefreshToken>();
  const noted = new Set<string>();

  const isAnswered = (id: string) => codes.has(id) || noted.has(id);
  const note = ({ id }: ConsentAnswer): boolean => {
    const isFirst = !isAnswered(id);
    noted.add(id);
    return isFirst;
  };
  const activeGrant = (grantId: string | undefined): StoredGrant | undefined => {
    const stored = grants.get(grantId ?? '');
    return stored?.isRevoked ? undefined : stored;
  };
  const unexpired = (now: number) =>
    [...grants.values()].filter(({ isRevoked, expires }) => !isRevoked && (expires === 0 || expires > now));
  const remembered = memoryConsents((grantId) => activeGrant(grantId) !== undefined);
  const putGrant = (grant: Grant, expires: number) => {
    grants.set(grant.id, { grant, lastUsed: grant.creationDate, expires, isRevoked: false });
  };
  const issue = (stored: StoredGrant, { accessToken, refreshToken }: TokenSet, now: number, streak = 0) => {
    tokens.set(accessToken.id, accessToken);
    if (refreshToken !== undefined) {
      const fresh = { token: refreshToken, rotation: undefined, repetitions: 0, streak };
      refreshTokens.set(refreshToken.id, fresh);
    }
    const never = stored.expires === 0 || accessToken.expires === 0;
    stored.expires = never ? 0 : Math.max(stored.expires, accessToken.expires, refreshToken?.expires ?? 0);
    stored.lastUsed = Math.max(stored.lastUsed, now);
  };
  const revoke = (stored: StoredGrant | undefined): boolean => {
    if (stored === undefined || stored.isRevoked) return false;
    stored.isRevoked = true;
    return true;
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
      if (!isLeft) revoke(grants.get(removed.grantId));
    },

    outlive(grantId, expires) {
      const stored = grants.get(grantId ?? '');
      if (stored === undefined || stored.expires === 0) return;
      stored.expires = expires === 0 ? 0 : Math.max(stored.expires, expires);
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

    active: () => [...grants.values()].filter(({ isRevoked }) => !isRevoked).map(({ grant }) => grant),

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

    grants: {
      async insert(grant, accessToken, answer, event) {
        requireGrant(grant.id, accessToken);
        if (answer !== undefined && !note(answer)) return false;
        putGrant(grant, accessToken.expires);
        tokens.set(accessToken.id, accessToken);
        if (event !== undefined) events.push(event);
        return true;
      },
      revoke: async (id) => revoke(grants.get(id)),
      listBySubject: async (subject, now) =>
        unexpired(now)
          .filter(({ grant }) => grant.owner.subject === subject)
          .toSorted((a, b) => (a.grant.id > b.grant.id ? -1 : 1))
          .slice(0, 1000)
          .map(({ grant, lastUsed }) => ({ grant, lastUsed })),
      async withdraw(subject, clientRecordId, _now, event) {
        const forgotten = remembered.withdraw(subject, clientRecordId);
        const revoked = [...grants.values()]
          .filter(({ grant }) => grant.clientRecordId === clientRecordId)
          .filter(({ grant }) => grant.owner.subject === subject)
          .filter(revoke).length;
        if (event !== undefined && revoked + forgotten > 0) events.push(event);
        return revoked;
      },
    },

    authorizationCodes: {
      async insert(code, grant, event) {
        requireGrant(grant.id, code);
        if (isAnswered(code.id)) return false;
        codes.set(code.id, { code, failures: 0, isRedeemed: false });
        putGrant(grant, code.expires);
        if (event !== undefined) events.push(event);
        return true;
      },
      async find(id) {
        const stored = codes.get(id);
        if (stored === undefined) return undefined;
        const grant = grants.get(stored.code.grantId)?.grant;
        return { code: stored.code, isRedeemed: stored.isRedeemed, grant };
      },
      async recordFailure(id) {
        const stored = codes.get(id);
        if (stored !== undefined) stored.failures += 1;
      },
      async redeem(id, issued, now) {
        const stored = codes.get(id);
        const grant = activeGrant(stored?.code.grantId);
        if (stored === undefined || grant === undefined) return false;
        if (stored.isRedeemed || stored.failures >= maxCodeFailures) return false;
        requireGrants(grant.grant.id, issued);
        stored.isRedeemed = true;
        issue(grant, issued, now);
        return true;
      },
    },

    refreshTokens: {
      async find(id) {
        const stored = refreshTokens.get(id);
        const grant = activeGrant(stored?.token.grantId)?.grant;
        if (stored === undefined || grant === undefined) return undefined;
        const { token, rotation } = stored;
        if (rotation === undefined) return { token, rotation, grant };
        const { at, sealedAnswer, successorId } = rotation;
        const successorIsRotated = refreshTokens.get(successorId)?.rotation !== undefined;
        return { token, rotation: { at, sealedAnswer, successorIsRotated }, grant };
      },
      async rotate(id, issued, sealedAnswer, now) {
        const stored = refreshTokens.get(id);
        const grant = activeGrant(stored?.token.grantId);
        if (stored === undefined || grant === undefined || stored.rotation !== undefined) return false;
        requireGrants(grant.grant.id, issued);
        stored.rotation = { at: now, sealedAnswer, successorId: issued.refreshToken.id };
        issue(grant, issued, now, stored.repetitions > 0 ? stored.streak + 1 : 0);
        return true;
      },
      async repeatRotation(id, limits) {
        const successor = refreshTokens.get(refreshTokens.get(id)?.rotation?.successorId ?? '');
        if (successor === undefined || activeGrant(successor.token.grantId) === undefined) return 'used';
        successor.repetitions += 1;
        if (successor.rotation !== undefined) return 'used';
        if (limits.streak > 0 && successor.streak + 1 >= limits.streak) return 'streak';
        return successor.repetitions > limits.repetitions ? 'exhausted' : 'answered';
      },
    },

    consents: remembered.store,
    remembered,

    consentAnswers: {
      isGiven: async (id) => isAnswered(id),
      note: async (answer) => note(answer),
    },
  };
}
