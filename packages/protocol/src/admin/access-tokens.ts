import { isExpired } from '../model/access-token.ts';
import { OAuthError } from '../model/errors.ts';
import type { Grant } from '../model/grant.ts';
import type { Scopes } from '../model/scope.ts';
import type { AccessTokenStore } from '../ports/access-token-store.ts';
import type { Instruments } from '../ports/instruments.ts';
import { type MalformedField, Violations } from '../rules/registration.ts';
import { sha256 } from '../rules/sha256.ts';
import { timeOrderedId } from '../rules/time-ordered-id.ts';
import { newAccessToken } from '../tokens/issue-access-token.ts';
import { type AuditedChange, difference } from './audit.ts';
import type { Caller } from './caller.ts';
import { type AdministrationDependencies, changeRecords } from './change-records.ts';
import { checkCondition, type Edit, type EditCondition } from './edit.ts';
import { isOwnToken, type LivingToken, livingToken, type Parties } from './living-token.ts';
import { owns } from './ownership.ts';
import { matcher, type Page, type PageRequest, readPage } from './page.ts';
import { accessTokenRecord, type IssuedToken, tokenOwner } from './records.ts';
import { availableScopes, checkExpiry, checkTokenScopes, earlier, latestExpiry } from './token-rules.ts';
import {
  type AccessTokenFilter,
  type AccessTokenPosition,
  readTokens,
  scanPosition,
  tokenSources,
} from './token-sources.ts';

/** What may be changed of an access token. */
export interface AccessTokenFields {
  readonly scopes: Scopes;
  /** Epoch milliseconds; 0 = does not expire. */
  readonly expires: number;
}

/** What is submitted of a new one. */
export interface AccessTokenRequest {
  /** The client that it is issued to. */
  readonly clientId: string;
  /** `undefined`: all of the client's. */
  readonly scopes: Scopes | undefined;
  /** Epoch milliseconds, 0 = does not expire; `undefined`: as the client's registration says. */
  readonly expires: number | undefined;
}

/**
 * Everything is done on behalf of a caller. A person sees the tokens that they granted, a client those in which it
 * or a client of its own acts for itself, an administrator all. Any other is `not_found`, as if it were not there.
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
   * A token for a client of the caller's: granted by the caller, or one in which the client acts for itself when the
   * caller is a client too. Resolves with its text, which is shown this once.
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
  /** Where the clients of listed tokens are looked up, one by one: in memory, where there is one. */
  readonly parties: Parties;
  readonly instruments: Instruments;
}

/** Names the state of a token. */
export function accessTokenTag({ scopes, expires }: AccessTokenFields): string {
  return sha256(JSON.stringify([scopes, expires])).toString('base64url', 0, 12);
}

export function accessTokenAdministration(
  deps: AccessTokenAdministrationDependencies,
): AccessTokenAdministration {
  const { accessTokens, parties, clock, random, instruments } = deps;

  const own = async (
    caller: Caller,
    id: string,
    stores: Parties & { readonly issuedTokens: Pick<AccessTokenStore, 'find'> },
  ): Promise<LivingToken> => {
    const found = await stores.issuedTokens.find(id);
    const token = found && (await livingToken(found, stores));
    if (token !== undefined && isOwnToken(caller, token)) return token;
    throw new OAuthError('token_not_found');
  };

  return {
    async list(caller, filter, page) {
      const { expired, clientId, resourceOwnerId } = filter;
      const sources = await tokenSources(caller, filter, deps);
      const matches = matcher(filter.q);
      const now = clock.now();
      return readPage(page, {
        fetch: (after, limit) => readTokens(sources, after, limit, accessTokens),
        positionOf: ({ source, token }) => ({ source, before: scanPosition(token) }),
        async pick({ token: found }) {
          const token = await livingToken(found, parties);
          if (token === undefined || !isOwnToken(caller, token)) return undefined;
          const { client } = token;
          const { name } = tokenOwner(token);
          const isWanted =
            (expired === undefined || expired === isExpired(found, now)) &&
            (clientId === undefined || clientId === client.clientId) &&
            (resourceOwnerId === undefined || resourceOwnerId === name) &&
            matches(client.clientName, client.clientId, name);
          return isWanted ? token : undefined;
        },
      });
    },

    find: (caller, id) => own(caller, id, { ...deps, issuedTokens: accessTokens }),

    async create(caller, request, malformed) {
      const violations = new Violations(malformed);
      const created = await changeRecords(caller, deps, async (stores) => {
        const client = await stores.clients.find(request.clientId);
        const resourceServer = client && (await stores.resourceServers.findById(client.resourceServerId));
        if (client === undefined || resourceServer === undefined || !owns(caller, resourceServer)) {
          violations.add('clientId', 'names no client');
          violations.throwIfAny();
          throw new OAuthError('invalid_request');
        }
        const available = availableScopes(client, resourceServer, caller);
        const scopes = [...new Set(request.scopes ?? available)];
        checkTokenScopes(scopes, available, 'the client, or not of your own token', violations);
        const { login } = caller;
        const creationDate = Math.max(clock.now(), client.tokensValidFrom + 1);
        const grant: Grant | undefined = login && {
          id: timeOrderedId(creationDate, random),
          clientRecordId: client.id,
          ...login,
          scopes,
          creationDate,
        };
        const made = newAccessToken(client, scopes, grant?.id, deps);
        const latest = latestExpiry(made.accessToken.creationDate, client, resourceServer, caller);
        const expires = request.expires ?? earlier(made.accessToken.expires, latest);
        checkExpiry(expires, latest, violations);
        const accessToken = { ...made.accessToken, expires };
        violations.throwIfAny();
        await stores.issuedTokens.insert(accessToken, grant);
        const token = { ...accessToken, client, grant };
        const after = withoutPrincipal(token);
        return {
          value: { token, value: made.accessTokenValue },
          changes: [{ action: 'create', ...ofToken(token), after }],
        };
      });
      instruments.tokenIssued('administration', created.token.client);
      return created;
    },

    async update(caller, id, { apply, malformed, condition }) {
      return changeRecords(caller, deps, async (stores) => {
        const before = await own(caller, id, stores);
        checkCondition(condition, accessTokenTag(before));
        const fields = apply({ scopes: before.scopes, expires: before.expires });
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
        const changed = difference(withoutPrincipal(before), withoutPrincipal(after));
        return { value: after, changes: [{ action: 'update', ...ofToken(before), ...changed }] };
      });
    },

    revoke: (caller, id, condition) =>
      changeRecords(caller, deps, async (stores) => {
        const before = await own(caller, id, stores);
        checkCondition(condition, accessTokenTag(before));
        if (!(await stores.issuedTokens.revoke(id))) throw new OAuthError('token_not_found');
        const deleted = { action: 'delete', ...ofToken(before) } as const;
        return { value: undefined, changes: [{ ...deleted, before: withoutPrincipal(before) }] };
      }),
  };
}

function ofToken(token: IssuedToken) {
  return {
    recordType: 'accessToken',
    recordId: token.id,
    recordName: token.client.clientId,
    owner: tokenOwner(token),
  } as const satisfies Partial<AuditedChange>;
}

/** What the trail says of a token: roles and attributes of a person are nothing that was changed. */
function withoutPrincipal(token: IssuedToken) {
  const { principal, ...record } = accessTokenRecord(token);
  return record;
}
