/** Who granted a token: exactly what the authorization server's authentication module returned. */
export interface Principal {
  readonly name: string;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  /** Whether this is an administrator of the authorization server itself. */
  readonly adminPrincipal: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The key that a token is bound to: `cnf` (RFC 7800 §3.1). */
export interface Confirmation {
  /** SHA-256 thumbprint of the key of DPoP proofs (RFC 9449 §6.1). */
  readonly jkt?: string;
  /** SHA-256 thumbprint of the certificate of the client (RFC 8705 §3.1). */
  readonly 'x5t#S256'?: string;
}

/** What a token represents, with the names of the wire. It is deeply frozen, because requests share it. */
export interface TokenInfo {
  /** Name of the client application that the token was issued to. */
  readonly audience: string;
  readonly scopes: readonly string[];
  readonly principal: Principal;
  /** When the token expires, in epoch milliseconds (a point in time, not a duration); 0 = never. */
  readonly expires_in: number;
  /**
   * The URIs of this API that the token is for (RFC 8707), in the answer to a lookup; absent where its resource server has none. Of a JWT
   * that was verified without a lookup, `claims` has it.
   */
  readonly aud?: readonly string[];
  /**
   * Only of a token that is bound to a key. Such a token gives access only together with a proof that the client possesses the
   * key. No verifier and no guard of this package checks proofs, so guards reject these tokens.
   */
  readonly cnf?: Confirmation;
  /**
   * When the user logged in, in epoch seconds; `null`: a client acts for itself, and nobody has logged in. Absent in the answer to a lookup
   * while the field `loginDetails` of this resource server is off.
   */
  readonly auth_time?: number | null;
  /** How strongly: an authentication context class reference. Absent where none was reached, and where `auth_time` is absent or null. */
  readonly acr?: string;
  /** The claims of a JWT access token (RFC 9068 §2.2) that was verified without a lookup: `sub`, `client_id` and others. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Whether the token has expired at `now`, in epoch milliseconds. */
export function isExpired({ expires_in }: Pick<TokenInfo, 'expires_in'>, now: number): boolean {
  return expires_in !== 0 && expires_in <= now;
}
