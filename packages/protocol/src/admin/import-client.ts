import { secretMatches } from '../clients/machine-secret.ts';
import { type Client, isPublicClient } from '../model/client.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import { normalized, Violations } from '../rules/registration.ts';
import { shellWord } from '../rules/shell-word.ts';
import { clientDifference } from './audit.ts';
import type { Caller } from './caller.ts';
import type { AdministrationDependencies } from './change-records.ts';
import { clientRegistration } from './client-registration.ts';
import { clientDefaults, impliedBy, registrationOf } from './client-rules.ts';
import {
  adviceOnSecret,
  checkImportedName,
  checkImportedSecret,
  type Done,
  type ImportedClient,
  isUnchanged,
  outcomeOf,
} from './imported-record.ts';

/** @throws OAuthError when the record is refused */
export async function importClient(
  caller: Caller,
  deps: AdministrationDependencies,
  resourceServer: ResourceServer,
  given: ImportedClient,
): Promise<Done<Client>> {
  const before = await deps.clients.find(given.clientId);
  return before === undefined
    ? create(caller, deps, resourceServer, given)
    : change(caller, deps, resourceServer, given, before);
}

async function create(
  caller: Caller,
  deps: AdministrationDependencies,
  resourceServer: ResourceServer,
  { clientId, secret, submitted: { apply, malformed } }: ImportedClient,
): Promise<Done<Client>> {
  const fields = apply(clientDefaults);
  const violations = new Violations();
  checkImportedName('clientId', clientId, violations);
  if (!isPublicClient({ ...clientDefaults, ...impliedBy(fields) })) checkImportedSecret(secret, violations);
  else if (secret !== undefined) violations.add('secret', 'must be left out: a public client has no secret');
  violations.throwIfAny();
  const { client } = await clientRegistration(deps).create(
    caller,
    resourceServer.id,
    { fields, ...(malformed && { malformed }) },
    { clientId, secret },
  );
  return { stored: client, outcome: 'created', details: adviceOnSecret(secret) };
}

async function change(
  caller: Caller,
  deps: AdministrationDependencies,
  resourceServer: ResourceServer,
  { clientId, secret, submitted }: ImportedClient,
  before: Client,
): Promise<Done<Client>> {
  const violations = new Violations();
  if (before.resourceServerId !== resourceServer.id) {
    violations.add('clientId', 'belongs to a client of another resource server');
  } else if (secret !== undefined && !secretMatches(before.secret, secret, deps.clock.now())) {
    violations.add(
      'secret',
      `is another one here; rotate it with "watchword client rotate-secret ${shellWord(clientId)}"`,
    );
  }
  violations.throwIfAny();
  const current = registrationOf(before);
  const edited = normalized({ ...current, ...impliedBy(submitted.apply(current)) });
  if (isUnchanged(submitted, current, edited)) return outcomeOf(before, []);
  const { client } = await clientRegistration(deps).update(caller, before, submitted);
  const { after } = clientDifference(before, client);
  return outcomeOf(client, Object.keys(after));
}
