import { OAuthError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { Client } from '../model/records/client.ts';
import type { Scopes } from '../model/scope.ts';
import { withoutIgnored } from '../openid/scopes.ts';
import type { Registry } from '../ports/stores/registry.ts';
import type { Instruments } from '../ports/system/instruments.ts';
import { type Tracer, traced } from '../ports/system/tracer.ts';
import { optionalParameter, type Parameters, requiredParameter } from '../rules/parameters.ts';
import { grantScopes, parseScope, type ScopeSyntax } from '../rules/scope.ts';
import type { GrantType, IssuedTokens } from './grant-type.ts';

export interface GrantDependencies {
  readonly grantTypes: readonly GrantType[];
  readonly registry: Registry;
  readonly scopeSyntax: ScopeSyntax;
  readonly instruments: Instruments;
  readonly tracer?: Tracer | undefined;
}

/** Issues tokens to an authenticated client. @throws OAuthError */
export type GrantPipeline = (client: Client, parameters: Parameters) => Promise<IssuedTokens>;

/**
 * The pipeline that every grant runs through: find the grant type, check that the client can use it, read the request, check
 * what the client presents, decide on the scopes, issue.
 */
export function grantPipeline({
  grantTypes,
  registry,
  scopeSyntax,
  instruments,
  tracer,
}: GrantDependencies): GrantPipeline {
  const grants = grantTypes.map((grant) => tracedGrant(grant, tracer));

  return async (client, parameters) => {
    const named = requiredParameter(parameters, 'grant_type');
    const grant = grants.find((known) => known.type === named);
    if (grant === undefined) {
      const supported = grants.map((known) => known.type);
      throw new OAuthError('unsupported_grant_type', because('supported_grant_type', { named, supported }));
    }
    const { type, requires, rule = 'allowed_grant_type' } = grant;
    if (!grant.isAllowedFor(client))
      throw new OAuthError('unauthorized_client', because(rule, { type, requires }));
    const requested = requestedScopes(parameters, scopeSyntax);
    const checked = grant.check(grant.read(parameters), client);
    const entitlement = checked instanceof Promise ? await checked : checked;
    const asked = grant.takesScope ? requested : undefined;
    const { scopes: available, owner } = entitlement;
    const resourceServer = () => registry.resourceServerById(client.resourceServerId);
    const scopes = grantScopes(asked && withoutIgnored(asked, available, resourceServer()), available, owner);
    const issued = await grant.issue({ client, entitlement, scopes });
    instruments.tokenIssued(type, client);
    if (issued.members?.id_token !== undefined) instruments.idTokenIssued(type, client);
    return issued;
  };
}

function tracedGrant(grant: GrantType, tracer: Tracer | undefined): GrantType {
  return {
    ...grant,
    check: traced(tracer, `check ${grant.type}`, grant.check),
    issue: traced(tracer, `issue ${grant.type}`, grant.issue),
  };
}

/** `undefined` when the request asks for none. A malformed scope is an error also where the grant ignores it. */
function requestedScopes(parameters: Parameters, syntax: ScopeSyntax): Scopes | undefined {
  const scope = optionalParameter(parameters, 'scope');
  return scope === undefined ? undefined : parseScope(scope, syntax);
}
