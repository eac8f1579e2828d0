import { OAuthError, RedirectableError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { Client } from '../model/records/client.ts';
import type { Scopes } from '../model/scope.ts';
import { isTargeted, namesOf, targetsOf, withNames } from '../model/targeted-scope.ts';
import { withoutIgnored } from '../openid/scopes.ts';
import type { Registry } from '../ports/stores/registry.ts';
import type { Instruments } from '../ports/system/instruments.ts';
import { type Tracer, traced } from '../ports/system/tracer.ts';
import {
  askedResourceServers,
  narrowedTo,
  refuseUnnamedResource,
  scopesOfAll,
} from '../rules/asked-resources.ts';
import { isAdministration, onlyAdministers } from '../rules/built-in-records.ts';
import {
  optionalParameter,
  type Parameters,
  repeatedValues,
  requiredParameter,
} from '../rules/parameters.ts';
import type { ProfileChecks } from '../rules/profile-checks.ts';
import { grantScopes, parseScope, type ScopeSyntax } from '../rules/scope.ts';
import { targetServers } from '../rules/target-servers.ts';
import { homeOf } from '../tokens/issue-access-token.ts';
import { keyMismatch, requireConstraint, type SenderConstraint } from '../tokens/sender-constraint.ts';
import type { Entitlement, GrantedTokenRequest, GrantType, IssuedTokens } from './grant-type.ts';

export interface GrantDependencies {
  readonly grantTypes: readonly GrantType[];
  readonly registry: Registry;
  readonly scopeSyntax: ScopeSyntax;
  readonly instruments: Instruments;
  /** Absent: `compatible`. */
  readonly profile?: ProfileChecks | undefined;
  readonly tracer?: Tracer | undefined;
}

/**
 * Issues tokens to an authenticated client.
 *
 * @param sender what the request proves beside; the tokens are bound to it
 * @throws OAuthError
 */
export type GrantPipeline = (
  client: Client,
  parameters: Parameters,
  sender: SenderConstraint | undefined,
) => Promise<IssuedTokens>;

/**
 * The pipeline that every grant runs through: find the grant type, check that the client can use it, read the request, check
 * what the client presents, decide on the scopes, issue.
 */
export function grantPipeline({
  grantTypes,
  registry,
  scopeSyntax,
  instruments,
  profile,
  tracer,
}: GrantDependencies): GrantPipeline {
  const grants = grantTypes.map((grant) => tracedGrant(grant, tracer));

  return async (client, parameters, sender) => {
    const named = requiredParameter(parameters, 'grant_type');
    const grant = grants.find((known) => known.type === named);
    if (grant === undefined) {
      const supported = grants.map((known) => known.type);
      throw new OAuthError('unsupported_grant_type', because('supported_grant_type', { named, supported }));
    }
    const { type, requires, rule = 'allowed_grant_type' } = grant;
    if (!grant.isAllowedFor(client))
      throw new OAuthError('unauthorized_client', because(rule, { type, requires }));
    requireConstraint(client, sender);
    const requested = requestedScopes(parameters, scopeSyntax);
    const resources = repeatedValues(parameters, 'resource');
    if (profile !== undefined) checkProfile(resources, client, sender, profile, registry);
    const checked = grant.check(grant.read(parameters), client, sender?.confirmation);
    const entitlement = checked instanceof Promise ? await checked : checked;
    const asked = grant.takesScope ? requested : undefined;
    const scopes =
      resources.length > 0 || isTargeted(entitlement.scopes)
        ? scopesOfSeveral({ grant, client, entitlement, asked }, resources, registry)
        : scopesOfHome({ grant, client, entitlement, asked }, registry);
    const issued = await issueTo(sender, grant, { client, entitlement, scopes });
    instruments.tokenIssued(type, client);
    if (issued.members?.id_token !== undefined) instruments.idTokenIssued(type, client);
    return issued;
  };
}

/** Stores the use of the proof at the same time as the tokens, in the same commit where possible: no grant can forget it. */
async function issueTo(
  sender: SenderConstraint | undefined,
  grant: GrantType,
  granted: Omit<GrantedTokenRequest<Entitlement>, 'confirmation'>,
): Promise<IssuedTokens> {
  if (sender === undefined) return grant.issue({ ...granted, confirmation: undefined });
  const { confirmation } = sender;
  const used = sender.use();
  // If both fail, the error of the grant counts: it can be that a replay has ended all access.
  used.catch(() => {});
  const issued = await grant.issue({ ...granted, confirmation });
  await used;
  if (keyMismatch('token', confirmation, issued.accessToken.confirmation) === undefined) return issued;
  throw new Error(`the grant ${grant.type} issued a token that is not bound to the key of its client`);
}

/** @throws OAuthError for a request that the profile of the server refuses */
function checkProfile(
  resources: readonly string[],
  client: Client,
  sender: SenderConstraint | undefined,
  profile: ProfileChecks,
  registry: Registry,
): void {
  const home = homeOf(client, registry);
  const refused = profile.refusal('token', {
    namesResource: resources.some((value) => value !== ''),
    isOfAdministration: isAdministration(home),
    onlyAdministers: onlyAdministers(client, home),
    isBound: sender !== undefined,
  });
  if (refused !== undefined) throw refused;
}

interface CheckedRequest {
  readonly grant: GrantType;
  readonly client: Client;
  readonly entitlement: Entitlement;
  /** Names of the scopes that the request asks for. */
  readonly asked: Scopes | undefined;
}

function scopesOfHome(
  { grant, client, entitlement: { scopes: available, owner }, asked }: CheckedRequest,
  registry: Registry,
): Scopes {
  if (asked !== undefined && grant.choosesResources) {
    refuseUnnamedResource(asked, available, client, registry);
  }
  const resourceServer = () => registry.resourceServerById(client.resourceServerId);
  return grantScopes(asked && withoutIgnored(asked, available, resourceServer()), available, owner);
}

/**
 * Where the request names resources, or what the client is entitled to is for resource servers that one named (RFC 8707 §2.2).
 *
 * @param resources values of the parameter `resource`
 */
function scopesOfSeveral(
  { grant, client, entitlement: { scopes: entitled, owner }, asked }: CheckedRequest,
  resources: readonly string[],
  registry: Registry,
): Scopes {
  if (targetsOf(entitled)?.length === 0) {
    throw new RedirectableError('invalid_target', { ...because('remaining_resource'), account: owner });
  }
  const home = homeOf(client, registry);
  const named = askedResourceServers(resources, client, registry);
  const narrowed = (of: typeof named = []) =>
    grant.choosesResources ? scopesOfAll(of) : narrowedTo(entitled, of, home);
  const available = named === undefined ? entitled : narrowed(named);
  if (asked === undefined) return available;
  const known = namesOf(available);
  const own = targetServers(available, home, registry).flatMap(({ resourceServer }) => resourceServer.scopes);
  return withNames(available, grantScopes(withoutIgnored(asked, known, { scopes: own }), known, owner));
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
