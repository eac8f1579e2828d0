import type { ErrorRuleName } from '../model/errors/rules/error-rules.ts';
import type { AccessToken, Confirmation } from '../model/records/access-token.ts';
import type { Client } from '../model/records/client.ts';
import type { Identity } from '../model/resource-owner.ts';
import type { Scopes } from '../model/scope.ts';
import type { Parameters } from '../rules/parameters.ts';

/**
 * One `grant_type` of the token endpoint (RFC 6749 §1.3). One grant type never knows another. The pipeline
 * (`grant-pipeline.ts`) calls `isAllowedFor`, `read`, `check` and `issue` in this order.
 */
export interface GrantType<Presented = unknown, Checked extends Entitlement = Entitlement> {
  /** The value of `grant_type`. */
  readonly type: string;
  /**
   * Whether a request can ask for fewer scopes than it is entitled to, by the parameter `scope`. Where it cannot, all of
   * them are granted and the parameter is ignored.
   */
  readonly takesScope: boolean;
  /**
   * Whether a request can name any resource server that the client can use (RFC 8707 §2.2). Default: only those that the resource owner
   * granted.
   */
  readonly choosesResources?: boolean;
  /** Whether the registration gives the client the right to this grant. */
  isAllowedFor(client: Client): boolean;
  /** What the registration of such a client has, for the reason of an error: the end of a sentence. Only for a type without a rule. */
  readonly requires?: string;
  /** The rule that a client breaks which is not registered so. Default: that it needs the right. */
  readonly rule?: Extract<
    ErrorRuleName,
    `allowed_${'grant_type' | 'client_credentials' | 'code' | 'refresh_tokens'}`
  >;
  /** Reads the parameters that only this grant type knows. @throws OAuthError `invalid_request` */
  read(parameters: Parameters): Presented;
  /**
   * Checks what the client presents, and returns what the client can get for it.
   *
   * @param confirmation the keys that the client has proved to have
   * @throws OAuthError `invalid_grant`
   */
  check(
    presented: Presented,
    client: Client,
    confirmation: Confirmation | undefined,
  ): Checked | Promise<Checked>;
  /** Issues tokens with the scopes that the pipeline granted. @throws OAuthError `invalid_grant`, `invalid_scope` */
  issue(granted: GrantedTokenRequest<Checked>): Promise<IssuedTokens>;
}

/** What a client can be granted for what it presents. */
export interface Entitlement {
  /** All scopes that a request can ask for. They are granted to a request that asks for none. */
  readonly scopes: Scopes;
  /** Name of the resource owner, for the log of rejected requests. */
  readonly owner?: Identity | undefined;
}

export interface GrantedTokenRequest<Checked extends Entitlement> {
  readonly client: Client;
  readonly entitlement: Checked;
  /** The granted scopes: some or all of the entitlement. */
  readonly scopes: Scopes;
  /** The keys that the access token must be bound to. */
  readonly confirmation: Confirmation | undefined;
}

/** Durable tokens, with the text that is handed out once. */
export interface IssuedTokens {
  readonly accessToken: Pick<AccessToken, 'scopes' | 'expires' | 'creationDate' | 'confirmation'>;
  readonly accessTokenValue: string;
  readonly refreshTokenValue?: string | undefined;
  readonly members?: ResponseMembers;
}

/** Members of a token response that only some grants have. */
export interface ResponseMembers {
  /** OpenID Connect Core §3.1.3.3. */
  readonly id_token?: string;
  /** RFC 8693 §2.2.1. */
  readonly issued_token_type?: string;
}
