import { clientFields } from '../../model/fields/client.ts';
import { defaultsOf, type SubmittedFields, submittedOf } from '../../model/fields/field.ts';
import { orderedEntries } from '../../model/fields/other-resource-servers.ts';
import { shownScope } from '../../model/fields/scopes.ts';
import { shown } from '../../model/hidden-characters.ts';
import type { Client } from '../../model/records/client.ts';
import type { ResourceServer } from '../../model/records/resource-server.ts';
import { isWebAddress } from '../../model/redirect-uri.ts';
import { onlyAdministers } from '../../rules/built-in-records.ts';
import { addViolations, type ProfileChecks } from '../../rules/profile-checks.ts';
import { checkFields, normalized, type Registered, type Violations } from '../../rules/registration.ts';
import { checkJwtClient } from './jwt-client-rules.ts';
import { checkKeyClient, normalizedKeys } from './key-client-rules.ts';
import { checkOpenidClient, type OpenidRules } from './openid-client-rules.ts';

/** The fields of a client that a request sets. */
export interface ClientRegistration extends SubmittedFields<typeof clientFields> {}

/** A registration that names no field. */
export const clientDefaults: ClientRegistration = defaultsOf(clientFields);

/** The registration of a client that exists. */
export function registrationOf(client: Client): ClientRegistration {
  return submittedOf(clientFields, client);
}

/** The fields that a request sets. A request that allows the implicit grant without `confidential` makes the client public. */
function impliedBy(submitted: Partial<ClientRegistration>): Partial<ClientRegistration> {
  const { confidential, allowedImplicitGrant } = submitted;
  const isImplied = allowedImplicitGrant === true && confidential === undefined;
  return isImplied ? { ...submitted, confidential: false } : submitted;
}

/** The registration with the fields that a request sets, as it is stored: each member of a list once. */
export function editedClient(
  current: ClientRegistration,
  submitted: Partial<ClientRegistration>,
): ClientRegistration {
  const edited = normalized({ ...current, ...impliedBy(submitted) });
  return {
    ...edited,
    otherResourceServers: orderedEntries(edited.otherResourceServers),
    jwks: normalizedKeys(edited.jwks),
    assertionIssuers: edited.assertionIssuers.map((each) => ({ ...each, jwks: normalizedKeys(each.jwks) })),
  };
}

export interface ClientRules extends Registered<ClientRegistration>, Pick<OpenidRules, 'algorithms'> {
  /** Absent: `compatible`. */
  readonly profile?: ProfileChecks | undefined;
}

/** Finds every rule that the registration breaks, but for the one of the document of its sector identifier URI. */
export function checkClient(
  registration: ClientRegistration,
  rules: ClientRules,
  resourceServer: ResourceServer,
  violations: Violations,
): void {
  checkFields(clientFields, registration, rules, violations);
  checkOpenidClient(registration, rules, violations);
  checkJwtClient(registration, resourceServer, violations);
  checkKeyClient(registration, violations);
  for (const scope of registration.scopes) {
    if (!resourceServer.scopes.includes(scope)) {
      violations.add('scopes', `${shownScope(scope)} is not a scope of the resource server`);
    }
  }
  const { confidential, allowedClientCredentials, allowedImplicitGrant, redirectUris } = registration;
  violations.addAll('tokenEndpointAuthMethod', methodProblems(registration));
  checkHybrid(registration, violations);
  if (confidential && allowedImplicitGrant) {
    violations.add(
      'confidential',
      'must be false beside allowedImplicitGrant, which is for public clients; allowedHybrid is for confidential ones',
    );
  }
  if (allowedClientCredentials && allowedImplicitGrant) {
    violations.add(
      'allowedClientCredentials',
      'needs a confidential client, and allowedImplicitGrant makes the client public',
    );
  } else if (allowedClientCredentials && !confidential) {
    violations.add('allowedClientCredentials', 'needs a confidential client: set confidential to true');
  }
  for (const name of ['dpopBoundAccessTokens', 'tlsClientCertificateBoundAccessTokens'] as const) {
    if (registration[name] && allowedImplicitGrant) {
      violations.add(
        name,
        'must be false beside allowedImplicitGrant, whose access tokens are bound to no key',
      );
    }
  }
  if (allowedImplicitGrant && redirectUris.length === 0) {
    violations.add('redirectUris', 'an implicit-grant client needs at least one');
  }
  const { before, profile } = rules;
  if (profile === undefined) return;
  const found = (of: ClientRegistration) => profile.ofClient(of, onlyAdministers(of, resourceServer));
  addViolations(violations, profile, found(registration), before && found(before));
}

/** Tokens of the hybrid flow are in addresses: whatever listens on the machine of a user could read them there. */
function checkHybrid(
  {
    allowedHybrid,
    allowedImplicitGrant,
    confidential,
    redirectUris,
  }: Pick<ClientRegistration, 'allowedHybrid' | 'allowedImplicitGrant' | 'confidential' | 'redirectUris'>,
  violations: Violations,
): void {
  if (!allowedHybrid) return;
  if (!confidential) {
    const mend = allowedImplicitGrant
      ? ', and allowedImplicitGrant makes the client public: allow one of them'
      : ': set confidential to true';
    violations.add('allowedHybrid', `needs a confidential client${mend}`);
  }
  if (redirectUris.length === 0)
    violations.add('redirectUris', 'a client with the hybrid flow needs at least one');
  for (const uri of redirectUris.filter((uri) => !isWebAddress(uri))) {
    violations.add(
      'redirectUris',
      `has ${shown(uri, 80)}, and the hybrid flow needs https without a loopback host`,
    );
  }
}

function* methodProblems({
  confidential,
  tokenEndpointAuthMethod: method,
}: Pick<ClientRegistration, 'confidential' | 'tokenEndpointAuthMethod'>): Iterable<string> {
  if (method === '' || confidential !== (method === 'none')) return;
  yield confidential
    ? 'is none, which is for public clients: set confidential to false, or name another method'
    : `is ${method}, which needs a confidential client; it must be none or empty`;
}
