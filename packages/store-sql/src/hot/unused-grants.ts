/**
 * A grant is unused when no access token and no refresh token that can be used is valid under it at `:valid_from`, but for
 * the access token `:except_id`. An unused grant is revoked, because it would never be removed when it has no expiry.
 *
 * @param which SQL condition on `authorization_grant`
 */
export function revokeUnusedGrantsSql(which: string): string {
  return `update authorization_grant set revoked_at = last_used
    where ${which} and revoked_at is null
      and not exists (select 1 from access_token as t
        where t.grant_id = authorization_grant.id and t.id <> :except_id
          and (t.expires = 0 or t.expires >= :valid_from))
      and not exists (select 1 from refresh_token as r
        where r.grant_id = authorization_grant.id and r.rotated_at is null
          and (r.expires = 0 or r.expires >= :valid_from))`;
}
