import { timingSafeEqual } from 'node:crypto';
import type { AccessToken } from '../model/access-token.ts';
import { OAuthError } from '../model/errors.ts';
import type { Scopes } from '../model/scope.ts';
import type { AccessTokenStore } from '../ports/access-token-store.ts';
import type { Instruments } from '../ports/instruments.ts';
import { type MalformedField, Violations } from '../rules/registration.ts';
import { sha256 } from '../rules/sha256.ts';
import { readAccessToken } from '../tokens/formats/formats.ts';
import { accessTokenList } from './access-token-list.ts';
import { type ActiveToken, activeToken, isOwnToken, type RegisteredRecords } from './active-token.ts';
import { difference } from './audit.ts';
import { ofToken, tokenState } from './audited-token.ts';
import type { Caller } from './caller.ts';
import { type AdministrationDependencies, changeRecords } from './change-records.ts';
import { checkCondition, type Edit, type EditCondition } from './edit.ts';
import { accessTokenIssue } from './issue-access-token.ts';
import type { Page, PageRequest } from './page.ts';
import type { IssuedToken } from './records.ts';
import { checkExpiry, checkTokenScopes, latestExpiry } from './token-rules.ts';
import type { AccessTokenFilter, AccessTokenPosition } from './token-sources.ts';

/** The fields of an access token that can be changed. */
export interface AccessTokenFields {
  readonly scopes: Scopes;
  /** Epoch milliseconds; 0 = does not expire. */
  readonly expires: number;
}

/** The submitted fields of a new access token. */
export interface AccessTokenRequest {
  /** The client that it is issued to. */
  readonly clientId: string;
  /** `undefined`: all of the client's. */
  readonly scopes: Scopes | undefined;
  /** Epoch milliseconds, 0 = does not expire; `undefined`: as the registration of the client determines. */
  readonly expires: number | undefined;
}

/**
 * Every method acts for a caller. A user sees the tokens that they granted, a client those in which it or a client of
 * its own acts for itself, an administrator all. Any other token is `not_found`, as if it did not exist.
 */
export interface AccessTokenAdministration {
  /** Newest first; of one resource owner, those of the newest grant first. */
  list(
    caller: Caller,
    filter: AccessTokenFilter,
    page: PageRequest<AccessTokenPosition>,
  ): Promise<Page<IssuedToken, AccessTokenPosition>>;
  /** @throws OAuthError `not_found` */
  find(caller: Caller, id: string): Promise<IssuedToken>;
  /**
   * Finds a token by its text, which must be complete: its id alone does not prove that the caller has seen it.
   *
   * @throws OAuthError `not_found`
   */
  lookUp(caller: Caller, value: string): Promise<IssuedToken>;
  /**
   * Issues a token for a client of the caller: the caller grants it, or the client acts for itself when the caller is a
   * client too. Resolves with its text, which is shown only this once.
   *
   * @throws OAuthError `invalid_request` with every violation
   */
  create(
    caller: Caller,
    request: AccessTokenRequest,
    malformed?: readonly MalformedField[],
  ): Promise<{ readonly token: IssuedToken; readonly value: string }>;
  /** Narrows the scopes, changes the expiry. @throws OAuthError `not_found`, `precondition_failed`, `invalid_request` */
  update(caller: Caller, id: string, edit: Edit<AccessTokenFields>): Promise<IssuedToken>;
  /** @throws OAuthError `not_found`, `precondition_failed` */
  revoke(caller: Caller, id: string, condition?: EditCondition): Promise<void>;
}

export interface AccessTokenAdministrationDependencies extends AdministrationDependencies {
  readonly accessTokens: AccessTokenStore;
  /** Finds the clients of listed tokens one by one: in memory, where the records are in memory. */
  readonly registered: RegisteredRecords;
  readonly instruments: Instruments;
}

/** Names the state of a token. */
export function accessTokenTag({ scopes, expires }: AccessTokenFields): string {
  return sha256(JSON.stringify([scopes, expires])).toString('base64url', 0, 12);
}

export function accessTokenAdministration(
  deps: AccessTokenAdministrationDependencies,
): AccessTokenAdministration {
  const { accessTokens } = deps;

  const own = async (
    caller: Caller,
    id: string,
    stores: RegisteredRecords & { readonly issuedTokens: Pick<AccessTokenStore, 'find'> },
    isMeant: (token: AccessToken) => boolean = () => true,
  ): Promise<ActiveToken> => {
    const found = await stores.issuedTokens.find(id);
    const token = found && isMeant(found) ? await activeToken(found, stores) : undefined;
    if (token !== undefined && isOwnToken(caller, token)) return token;
    throw new OAuthError('token_not_found');
  };
  const read = { ...deps, issuedTokens: accessTokens };

  return {
    list: accessTokenList(deps),
    create: accessTokenIssue(deps),

    find: (caller, id) => own(caller, id, read),

    lookUp: async (caller, value) => {
      const presented = readAccessToken(value);
      if (presented === undefined) throw new OAuthError('token_not_found');
      const { id, verifierHash } = presented;
      return own(caller, id, read, (token) => timingSafeEqual(token.verifierHash, verifierHash));
    },

    async update(caller, id, { apply, malformed, condition }) {
      return changeRecords(caller, deps, async (stores) => {
        const before = await own(caller, id, stores);
        checkCondition(condition, accessTokenTag(before));
        const current = { scopes: before.scopes, expires: before.expires };
        const fields = { ...current, ...apply(current) };
        const scopes = [...new Set(fields.scopes)];
        const violations = new Violations(malformed);
        checkTokenScopes(scopes, before.scopes, 'the token', violations);
        if (fields.expires !== before.expires) {
          const { creationDate, client, resourceServer } = before;
          const latest = latestExpiry(creationDate, client, resourceServer, caller);
          checkExpiry(fields.expires, latest, violations);
        }
        violations.throwIfAny();
        const change = { scopes, expires: fields.expires };
        if (!(await stores.issuedTokens.update(id, change))) throw new OAuthError('token_not_found');
        const after = { ...before, ...change };
        const changed = difference(tokenState(before), tokenState(after));
        return { value: after, changes: [{ action: 'update', ...ofToken(before), ...changed }] };
      });
    },

    revoke: (caller, id, condition) =>
      changeRecords(caller, deps, async (stores) => {
        const before = await own(caller, id, stores);
        checkCondition(condition, accessTokenTag(before));
        if (!(await stores.issuedTokens.revoke(id))) throw new OAuthError('token_not_found');
        const deleted = { action: 'delete', ...ofToken(before) } as const;
        return { value: undefined, changes: [{ ...deleted, before: tokenState(before) }] };
      }),
  };
}
