import type { AccessToken } from '../model/access-token.ts';
import type { Client } from '../model/client.ts';
import type { Scopes } from '../model/scope.ts';
import type { Parameters } from '../rules/parameters.ts';

/** One `grant_type` of the token endpoint. One grant type never knows another. */
export interface GrantType {
  /** The value of `grant_type`. */
  readonly type: string;
  /** Whether the registration gives the client the right to this grant. */
  isAllowedFor(client: Client): boolean;
  /**
   * Checks what the client offers and issues tokens for it. Runs after the client was authenticated and
   * allowed.
   *
   * @throws OAuthError `invalid_grant`, `invalid_scope`, `invalid_request`
   */
  issue(request: GrantRequest): Promise<IssuedTokens>;
}

export interface GrantRequest {
  readonly client: Client;
  readonly parameters: Parameters;
  /** The scopes that were asked for; `undefined` when none were. Grammar checked, nothing else. */
  readonly requestedScopes: Scopes | undefined;
}

/** Durable tokens, with the text that is handed out once. */
export interface IssuedTokens {
  readonly accessToken: Pick<AccessToken, 'scopes' | 'expires' | 'creationDate'>;
  readonly accessTokenValue: string;
  readonly refreshTokenValue?: string;
}
