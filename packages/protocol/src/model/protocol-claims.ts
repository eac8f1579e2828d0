// RFC 7519 §4.1, OpenID Connect Core §2, §3.3.2.11, §5.6.2, RFC 7800, RFC 8693, RFC 9068, and the logout specifications.
const protocolClaims = new Set(
  `iss sub aud exp nbf iat jti auth_time nonce acr amr azp sid at_hash c_hash s_hash cnf act may_act client_id scope grant_id
  events typ cty _claim_names _claim_sources`.split(/\s+/),
);

/** Whether the server alone decides on the claim, because it has a meaning for the protocol and is none of a user. */
export function isProtocolClaim(name: string): boolean {
  return protocolClaims.has(name);
}
