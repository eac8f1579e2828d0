import { RedirectableError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { Scopes } from '../model/scope.ts';
import { memberOf, namesOf } from '../model/targeted-scope.ts';
import type { PresentedAccessToken } from '../ports/stores/grants/access-token-store.ts';
import { isHomeOfOpenClients } from '../rules/built-in-records.ts';
import type { TargetServer } from '../rules/target-servers.ts';

/** Tokens of the resource servers, and what they grant. */
export interface TokenTargets {
  readonly targets: readonly TargetServer[];
  readonly scopes: Scopes;
}

/** How `aud` names a resource server: by the URIs that the client named, or else the first that it has, or else its key. */
export function audienceOf(
  { resourceServer, resources }: Pick<TargetServer, 'resourceServer' | 'resources'>,
  issuer: string,
): readonly string[] {
  const { key, resources: own } = resourceServer;
  const named = resources.filter((uri) => own.includes(uri));
  if (named.length > 0) return named;
  return [own[0] ?? (isHomeOfOpenClients(resourceServer) ? issuer : key)];
}

/**
 * How a token that was issued names resource servers, which are some of its own.
 *
 * @param issuer named too where it is, and for a resource server that has no other name
 */
export function namedAudience(
  { audience }: Pick<PresentedAccessToken, 'audience'>,
  targets: readonly TargetServer[],
  issuer = '',
): readonly string[] {
  const isOwn = (name: string) =>
    targets.some(({ resourceServer: { key, resources } }) => name === key || resources.includes(name));
  if (audience?.some(isOwn)) return audience.filter((name) => name === issuer || isOwn(name));
  return targets.flatMap((target) => audienceOf(target, issuer));
}

/** `aud` of a JWT. With `openid`, it is also for the userinfo endpoint, which is the issuer's (OpenID Connect Core §5.3). */
export function jwtAudience({ targets, scopes }: TokenTargets, issuer: string): string | readonly string[] {
  const names = targets.flatMap((target) => audienceOf(target, issuer));
  const isLogin = scopes.includes('openid') && !isOfHome('openid', targets);
  const [first = issuer, ...others] = new Set(isLogin ? [...names, issuer] : names);
  return others.length === 0 ? first : [first, ...others];
}

/**
 * A resource server that reads a JWT itself takes each name in it for a scope of its own, so no name may be one at two of them (RFC 9068 §3).
 *
 * @throws RedirectableError `invalid_target`
 */
export function checkUnambiguous({ targets, scopes }: TokenTargets): void {
  if (targets.every(({ id }) => id === undefined)) return;
  const known = targets.map(({ resourceServer }) => new Set(resourceServer.scopes));
  const isAmbiguous = (member: string) => {
    const { id, scope = '' } = memberOf(member);
    const isOfOne = id !== undefined || isOfHome(scope, targets);
    const knowing = known.filter((own) => own.has(scope));
    return knowing.length > (isOfOne ? 1 : 0);
  };
  const ambiguous = scopes.filter(isAmbiguous);
  if (ambiguous.length === 0) return;
  const keys = targets.map(({ resourceServer }) => resourceServer.key);
  throw new RedirectableError(
    'invalid_target',
    because('unambiguous_scope', { scopes: namesOf(ambiguous), keys }),
  );
}

function isOfHome(scope: string, targets: readonly TargetServer[]): boolean {
  return targets.some(({ id, resourceServer }) => id === undefined && resourceServer.scopes.includes(scope));
}
