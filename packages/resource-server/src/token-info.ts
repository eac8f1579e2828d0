/** Who granted a token: exactly what the authorization server's authentication module returned. */
export interface Principal {
  readonly name: string;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  /** Whether this is an administrator of the authorization server itself. */
  readonly adminPrincipal: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/** What a token represents, with the names of the wire. It is deeply frozen, because requests share it. */
export interface TokenInfo {
  /** Name of the client application that the token was issued to. */
  readonly audience: string;
  readonly scopes: readonly string[];
  readonly principal: Principal;
  /** When the token expires, in epoch milliseconds (a point in time, not a duration); 0 = never. */
  readonly expires_in: number;
}

/** Whether the token has expired at `now`, in epoch milliseconds. */
export function isExpired({ expires_in }: Pick<TokenInfo, 'expires_in'>, now: number): boolean {
  return expires_in !== 0 && expires_in <= now;
}
