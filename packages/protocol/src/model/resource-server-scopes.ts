/** A resource server, and the scopes that a client can get there. */
export interface ResourceServerScopes {
  readonly resourceServerId: number;
  readonly scopes: readonly string[];
}
