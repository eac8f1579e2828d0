import type {
  AccessTokenFormats,
  AccessTokenStore,
  GrantListStore,
  GrantStore,
  Instruments,
  MalformedField,
  RevocationStore,
  Scopes,
  Sealer,
  SessionLookup,
} from '@watchword/protocol';
import type { IssuedToken, RegisteredRecords } from '../callers/active-token.ts';
import type { Caller } from '../callers/caller.ts';
import type { AdministrationDependencies } from '../changes/change-records.ts';
import type { Edit, EditCondition } from '../changes/edit.ts';
import type { GrantSelection } from '../grants/grant-administration.ts';
import type { Page, PageRequest } from '../lists/page.ts';
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

/** Which tokens are revoked: those to which everything fits that is given. */
export interface IssuedSelection extends Omit<GrantSelection, 'since'> {
  /** Epoch milliseconds: only what was issued at this time or later. */
  readonly since: number;
}

/** What was revoked, and what was not. */
export interface RevokedIssue {
  /** Grants under which a token was issued. They end with their code and all tokens. */
  readonly grants: number;
  /** Stored access tokens with which clients acted for themselves. */
  readonly accessTokens: number;
  /** The clientId of each client that only acts for itself and gets JWTs: all its tokens are revoked. */
  readonly clients: readonly string[];
  /**
   * The clientId of each client that gets JWTs for itself, and acts for users too or is of another owner. The JWTs for itself stay valid until
   * they expire.
   */
  readonly remaining: readonly string[];
}

/**
 * Every method acts for a caller. A user sees the tokens that they granted, a client its own, an administrator all. Of tokens with which
 * clients act for themselves, the owner of a resource server sees what they give there; that of the client sees all. A JWT has no row: it is in no list, and is found by its text. Any other token is `not_found`, as if it did not exist.
 */
export interface AccessTokenAdministration {
  /** The newest tokens first; for one resource owner, the tokens of the newest grant first. */
  list(
    caller: Caller,
    filter: AccessTokenFilter,
    page: PageRequest<AccessTokenPosition>,
  ): Promise<Page<IssuedToken, AccessTokenPosition>>;
  /** @throws OAuthError `not_found` */
  find(caller: Caller, id: string): Promise<IssuedToken>;
  /**
   * Finds a token by its text, which must be complete: the id alone does not prove that the caller has seen it.
   *
   * @throws OAuthError `not_found`
   */
  lookUp(caller: Caller, value: string): Promise<IssuedToken>;
  /**
   * Issues a token for a client of the caller: the caller grants it, or the client acts for itself when the caller is a
   * client too. Resolves with its text, which is never shown again.
   *
   * @throws OAuthError `invalid_request` with every violation
   */
  create(
    caller: Caller,
    request: AccessTokenRequest,
    malformed?: readonly MalformedField[],
  ): Promise<{ readonly token: IssuedToken; readonly value: string }>;
  /**
   * Narrows the scopes, changes the expiry. A JWT cannot be changed.
   *
   * @throws OAuthError `not_found`, `precondition_failed`, `invalid_request`, `conflict`
   */
  update(caller: Caller, id: string, edit: Edit<AccessTokenFields>): Promise<IssuedToken>;
  /** @throws OAuthError `not_found`, `precondition_failed` */
  revoke(caller: Caller, id: string, condition?: EditCondition): Promise<void>;
  /**
   * Revokes what was issued at a time or later to clients of the caller, or for a resource owner by them. After an error, a part is revoked.
   *
   * @throws OAuthError `invalid_request` for a selection that names neither subject, client nor resource server
   */
  revokeIssued(caller: Caller, selection: IssuedSelection): Promise<RevokedIssue>;
}

export interface AccessTokenAdministrationDependencies extends AdministrationDependencies, SessionLookup {
  readonly accessTokens: AccessTokenStore;
  readonly grantList: GrantListStore;
  readonly grants: Pick<GrantStore, 'find'>;
  readonly revocations: Pick<RevocationStore, 'findToken'>;
  readonly accessTokenFormats: AccessTokenFormats;
  /** Opens what seals the ids of JWTs; a command without a JWT does not need it. */
  readonly openSealer: () => Promise<Sealer>;
  /** Finds the clients of listed tokens one by one: in memory, where the records are in memory. */
  readonly registered: RegisteredRecords;
  readonly instruments: Instruments;
}
