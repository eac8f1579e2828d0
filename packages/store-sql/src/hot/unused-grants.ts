/**
 * A grant is unused if it has no valid access token, except `:except_id`, and no valid current refresh token at `:valid_from`.
 * An unused grant is revoked, because a grant without expiry would never be removed.
 *
 * @param which SQL condition on `authorization_grant`
 */
export function revokeUnusedGrantsSql(which: string): string {
  return `update authorization_grant set revoked_at = last_used {rows}
    where ${which} {shard authorization_grant} and +revoked_at is null
      and not exists (select 1 from access_token as t
        where t.grant_id = authorization_grant.id {shard t} and t.id <> :except_id
          and (t.expires = 0 or t.expires >= :valid_from))
      and not exists (select 1 from refresh_token as r
        where r.grant_id = authorization_grant.id {shard r} and r.rotated_at is null
          and (r.expires = 0 or r.expires >= :valid_from))`;
}
