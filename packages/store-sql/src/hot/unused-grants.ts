import { type ByKey, type Update, update } from './operation.ts';

/**
 * A grant is unused if it has no valid access token, except `:except_id`, and no valid current refresh token at `:valid_from`.
 * An unused grant is revoked, because a grant without expiry would never be removed.
 *
 * @param which condition on `authorization_grant`
 */
export function revokeUnusedGrants(which: (byKey: ByKey) => string): Update {
  return update(
    'authorization_grant',
    'revoked_at = last_used',
    (byKey) => `${which(byKey)} and +revoked_at is null
      and not exists (select 1 from access_token as t
        where ${byKey('t.grant_id = authorization_grant.id', 't')} and t.id <> :except_id
          and (t.expires = 0 or t.expires >= :valid_from))
      and not exists (select 1 from refresh_token as r
        where ${byKey('r.grant_id = authorization_grant.id', 'r')} and r.rotated_at is null
          and (r.expires = 0 or r.expires >= :valid_from))`,
  );
}
