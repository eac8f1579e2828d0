import type { Client } from '../model/client.ts';
import { clientFields } from '../model/fields/client.ts';
import { defaultsOf, type SubmittedFields, submittedOf } from '../model/fields/field.ts';
import { shownScope } from '../model/fields/scopes.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import { checkFields, type Registered, type Violations } from '../rules/registration.ts';

/** The fields of a client that a request sets. */
export interface ClientRegistration extends SubmittedFields<typeof clientFields> {}

/** A registration that names no field. */
export const clientDefaults: ClientRegistration = defaultsOf(clientFields);

/** The registration of a client that exists. */
export function registrationOf(client: Client): ClientRegistration {
  return submittedOf(clientFields, client);
}

/** Finds every rule that the registration breaks. */
export function checkClient(
  registration: ClientRegistration,
  context: Registered<ClientRegistration>,
  resourceServer: ResourceServer,
  violations: Violations,
): void {
  checkFields(clientFields, registration, context, violations);
  for (const scope of registration.scopes) {
    if (!resourceServer.scopes.includes(scope)) {
      violations.add('scopes', `${shownScope(scope)} is not a scope of the resource server`);
    }
  }
  const { allowedClientCredentials, allowedImplicitGrant, redirectUris } = registration;
  if (allowedClientCredentials && allowedImplicitGrant) {
    violations.add(
      'allowedClientCredentials',
      'needs a confidential client, and allowedImplicitGrant makes the client public',
    );
  }
  if (allowedImplicitGrant && redirectUris.length === 0) {
    violations.add('redirectUris', 'an implicit-grant client needs at least one');
  }
}
