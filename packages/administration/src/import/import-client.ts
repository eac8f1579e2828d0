import {
  type Client,
  clientDefaults,
  editedClient,
  isPublicClient,
  type ResourceServer,
  type ResourceServerScopes,
  registrationOf,
  shellCommand,
  shown,
  usesSecret,
  Violations,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { changeRecords } from '../changes/change-records.ts';
import { clientDifference, ofClient } from '../clients/client-record.ts';
import { clientRegistration } from '../clients/client-registration.ts';
import { type ImportDependencies, weakSecretNoted } from './import-secrets.ts';
import {
  adviceOnSecret,
  checkImportedName,
  type Done,
  type ImportedClient,
  isUnchanged,
  outcomeOf,
} from './imported-record.ts';

/** @throws OAuthError when the record is refused */
export async function importClient(
  caller: Caller,
  deps: ImportDependencies,
  resourceServer: ResourceServer,
  client: ImportedClient,
): Promise<Done<Client>> {
  const given = { ...client, submitted: await withRecordIds(client, deps) };
  const before = await deps.clients.find(given.clientId);
  return before === undefined
    ? create(caller, deps, resourceServer, given)
    : change(caller, deps, resourceServer, given, before);
}

/** The fields, with the record ids of the resource servers that the client names by their keys. All of the import have one. */
async function withRecordIds(
  { submitted, othersByKey = [] }: ImportedClient,
  { resourceServers }: Pick<ImportDependencies, 'resourceServers'>,
): Promise<ImportedClient['submitted']> {
  if (othersByKey.length === 0) return submitted;
  const violations = new Violations();
  const found: ResourceServerScopes[] = [];
  for (const { key, scopes } of othersByKey) {
    const server = await resourceServers.find(key);
    if (server !== undefined) found.push({ resourceServerId: server.id, scopes });
    else {
      const problem = `name ${shown(key, 80)}, which is no key of a resource server, here or in the import`;
      violations.add('otherResourceServers', problem);
    }
  }
  violations.throwIfAny();
  const apply: typeof submitted.apply = (before) => {
    const fields = submitted.apply(before);
    return { ...fields, otherResourceServers: [...(fields.otherResourceServers ?? []), ...found] };
  };
  return { ...submitted, apply };
}

async function create(
  caller: Caller,
  deps: ImportDependencies,
  resourceServer: ResourceServer,
  { clientId, secret, submitted: { apply, malformed } }: ImportedClient,
): Promise<Done<Client>> {
  const fields = apply(clientDefaults);
  const violations = new Violations();
  checkImportedName('clientId', clientId, violations);
  const client = editedClient(clientDefaults, fields);
  if (usesSecret(client)) deps.secrets.check(secret, violations);
  else if (secret !== undefined) {
    const kind = isPublicClient(client) ? 'a public client' : 'a client with assertions';
    violations.add('secret', `must be left out: ${kind} has no secret`);
  }
  violations.throwIfAny();
  const { client: stored } = await clientRegistration(deps).create(
    caller,
    resourceServer.id,
    { fields, ...(malformed && { malformed }) },
    { clientId, secret: secret === undefined ? undefined : await deps.secrets.stored(clientId, secret) },
  );
  return { stored, outcome: 'created', details: adviceOnSecret(secret, rotation(clientId)) };
}

async function change(
  caller: Caller,
  deps: ImportDependencies,
  resourceServer: ResourceServer,
  { clientId, secret, submitted }: ImportedClient,
  before: Client,
): Promise<Done<Client>> {
  const violations = new Violations();
  if (before.resourceServerId !== resourceServer.id) {
    violations.add('clientId', 'belongs to a client of another resource server');
  } else if (secret !== undefined) {
    await deps.secrets.checkSame(secret, before.secret, rotation(clientId), violations);
  }
  violations.throwIfAny();
  const current = registrationOf(before);
  const edited = editedClient(current, submitted.apply(current));
  const stronger = await deps.secrets.strengthened(clientId, before.secret, secret);
  if (stronger !== undefined) {
    await changeRecords(caller, deps, async ({ clients }) => {
      await clients.replaceSecret(before.id, stronger);
      return { value: undefined, changes: [{ ...weakSecretNoted, ...ofClient(before, resourceServer) }] };
    });
  }
  const changed = stronger === undefined ? [] : ['weakSecret'];
  if (isUnchanged(submitted, current, edited)) return outcomeOf(before, changed);
  const { client } = await clientRegistration(deps).update(caller, before, submitted);
  const { after } = clientDifference(before, client);
  return outcomeOf(client, [...Object.keys(after), ...changed]);
}

function rotation(clientId: string): string {
  return shellCommand('watchword client rotate-secret {name}', { name: clientId });
}
