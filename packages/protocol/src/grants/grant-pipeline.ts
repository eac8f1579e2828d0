import type { Client } from '../model/client.ts';
import { protocolErrors } from '../model/error-table.ts';
import { OAuthError } from '../model/errors.ts';
import { withHidden } from '../model/hidden-characters.ts';
import type { Scopes } from '../model/scope.ts';
import { withoutIgnored } from '../openid/scopes.ts';
import type { Instruments } from '../ports/instruments.ts';
import type { Registry } from '../ports/registry.ts';
import { type Tracer, traced } from '../ports/tracer.ts';
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
    const grant = grants.find(({ type }) => type === named);
    if (grant === undefined)
      throw unsupported(
        named,
        grants.map(({ type }) => type),
      );
    if (!grant.isAllowedFor(client)) throw notAllowed(grant);
    const requested = requestedScopes(parameters, scopeSyntax);
    const checked = grant.check(grant.read(parameters), client);
    const entitlement = checked instanceof Promise ? await checked : checked;
    const asked = grant.takesScope ? requested : undefined;
    const { scopes: available, owner } = entitlement;
    const known = () => registry.resourceServerById(client.resourceServerId);
    const scopes = grantScopes(asked && withoutIgnored(asked, available, known()), available, owner);
    const issued = await grant.issue({ client, entitlement, scopes });
    instruments.tokenIssued(grant.type, client);
    if (issued.members?.id_token !== undefined) instruments.idTokenIssued(grant.type, client);
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

/** The reason does not have the value: it can be a secret in the wrong place. */
function unsupported(named: string, types: readonly string[]): OAuthError {
  const reason = `The server does not support the grant_type of the request. It supports ${types.join(', ')}.`;
  return new OAuthError('unsupported_grant_type', {
    description: withHidden(protocolErrors.unsupported_grant_type.description, named),
    reason: withHidden(reason, named),
    expected: types.join(', '),
  });
}

function notAllowed({ type, requires, rule }: GrantType): OAuthError {
  const needs = requires === undefined ? '' : ` It needs ${requires}.`;
  const reason = `The registration of the client does not allow grant_type=${type}.${needs}`;
  return new OAuthError('unauthorized_client', {
    reason,
    rule,
    expected: requires,
    came: `grant_type=${type}`,
  });
}

/** `undefined` when the request asks for none. A malformed scope is an error also where the grant ignores it. */
function requestedScopes(parameters: Parameters, syntax: ScopeSyntax): Scopes | undefined {
  const scope = optionalParameter(parameters, 'scope');
  return scope === undefined ? undefined : parseScope(scope, syntax);
}
