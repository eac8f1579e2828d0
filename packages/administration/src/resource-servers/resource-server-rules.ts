import {
  addViolations,
  checkFields,
  comparedResourceUri,
  defaultsOf,
  descriptionsOf,
  named,
  normalized,
  OAuthError,
  type ProfileChecks,
  quoted,
  type Registered,
  type ResourceServerStore,
  resourceServerFields,
  type SubmittedFields,
  shown,
  type Violations,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';

/** The fields of a resource server that a request sets. */
export interface ResourceServerRegistration extends SubmittedFields<typeof resourceServerFields> {}

/** A registration that names no field. */
export const resourceServerDefaults: ResourceServerRegistration = defaultsOf(resourceServerFields);

/**
 * A registration as it is stored: each member of a list once, and descriptions of its own scopes only. A scope that it loses is no open one
 * any more.
 *
 * @param before the registration that is to be changed; `undefined` for a new one
 */
export function storedForm(
  registration: ResourceServerRegistration,
  before: ResourceServerRegistration | undefined,
): ResourceServerRegistration {
  const once = normalized(registration);
  const { scopes } = once;
  return {
    ...once,
    scopeDescriptions: descriptionsOf(scopes, once.scopeDescriptions),
    openScopes: once.openScopes.filter(
      (scope) => scopes.includes(scope) || before?.openScopes.includes(scope) !== true,
    ),
  };
}

interface ResourceServerRules extends Registered<ResourceServerRegistration> {
  /** Absent: `compatible`. */
  readonly profile: ProfileChecks | undefined;
}

/** Finds every rule that the registration breaks. */
export function checkResourceServer(
  caller: Caller,
  registration: ResourceServerRegistration,
  rules: ResourceServerRules,
  violations: Violations,
): void {
  checkFields(resourceServerFields, registration, rules, violations);
  const { scopes, openScopes } = registration;
  for (const scope of openScopes.filter((each) => !scopes.includes(each))) {
    violations.add('openScopes', `${shown(scope, 40)} is not a scope of the resource server`);
  }
  const { before, profile } = rules;
  if (!caller.isAdministrator) checkNoNewUri(registration, before, violations);
  // What an administrator alone can mend is found by `lint` in the records of others.
  else if (profile !== undefined)
    addViolations(
      violations,
      profile,
      profile.ofResourceServer(registration),
      before && profile.ofResourceServer(before),
    );
}

/**
 * APIs that verify JWTs themselves take one that names their URI for their own. Nobody can see here whose a URI is, so who registered that of
 * somebody else first could make tokens for it.
 */
function checkNoNewUri(
  { resources }: ResourceServerRegistration,
  before: ResourceServerRegistration | undefined,
  violations: Violations,
): void {
  const known = new Set(before?.resources.map(comparedResourceUri));
  const added = resources.find((uri) => !known.has(comparedResourceUri(uri)));
  if (added === undefined) return;
  const asks = 'leave it out here, and ask an administrator to add it';
  violations.add('resources', `${shown(added, 80)} is new, and administrators alone add URIs; ${asks}`);
}

/**
 * A request names one resource server by a URI, and so does a JWT.
 *
 * @param id of the resource server that has the URIs; `undefined` for a new one
 * @throws OAuthError `conflict` when another one has one of them, or had it when JWTs were issued that can still be valid
 */
export async function checkResources(
  { resources }: ResourceServerRegistration,
  id: number | undefined,
  resourceServers: Pick<ResourceServerStore, 'listUris'>,
): Promise<void> {
  if (resources.length === 0) return;
  const wanted = new Map(resources.map((uri) => [comparedResourceUri(uri), uri]));
  for (const { uri, id: of, key, until } of await resourceServers.listUris()) {
    const taken = wanted.get(comparedResourceUri(uri));
    if (of === id || taken === undefined) continue;
    throw new OAuthError('conflict', {
      description:
        until === undefined
          ? `Another resource server has the URI ${quoted(taken)} in its resources already.`
          : `The URI ${quoted(taken)} was one of the resource server ${named(key)}. JWTs for that can be valid until ${new Date(until).toISOString()}, and an API of this URI would accept them: add it after that time, or choose another one.`,
    });
  }
}
