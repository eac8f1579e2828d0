import {
  isBuiltIn,
  type ResourceServer,
  resourceServerFields,
  shellCommand,
  submittedOf,
  Violations,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { changeRecords } from '../changes/change-records.ts';
import { ofResourceServer, resourceServerDifference } from '../resource-servers/resource-server-record.ts';
import { resourceServerRegistration } from '../resource-servers/resource-server-registration.ts';
import { resourceServerDefaults, storedForm } from '../resource-servers/resource-server-rules.ts';
import { type ImportDependencies, weakSecretNoted } from './import-secrets.ts';
import {
  adviceOnSecret,
  checkImportedName,
  type Done,
  type ImportedResourceServer,
  isUnchanged,
  outcomeOf,
} from './imported-record.ts';

/** @throws OAuthError when the record is refused */
export async function importResourceServer(
  caller: Caller,
  deps: ImportDependencies,
  given: ImportedResourceServer,
): Promise<Done<ResourceServer>> {
  const before = await deps.resourceServers.find(given.key);
  return before === undefined ? create(caller, deps, given) : change(caller, deps, given, before);
}

async function create(
  caller: Caller,
  deps: ImportDependencies,
  { key, secret, owner, submitted: { apply, malformed } }: ImportedResourceServer,
): Promise<Done<ResourceServer>> {
  const violations = new Violations();
  checkImportedName('key', key, violations);
  deps.secrets.check(secret, violations);
  violations.throwIfAny();
  const { resourceServer } = await resourceServerRegistration(deps).create(
    caller,
    { fields: apply(resourceServerDefaults), ...(malformed && { malformed }) },
    { owner, key, ...(secret !== undefined && { secret: await deps.secrets.stored(key, secret) }) },
  );
  return { stored: resourceServer, outcome: 'created', details: adviceOnSecret(secret, rotation(key)) };
}

async function change(
  caller: Caller,
  deps: ImportDependencies,
  { key, secret, owner, submitted }: ImportedResourceServer,
  before: ResourceServer,
): Promise<Done<ResourceServer>> {
  const violations = new Violations();
  if (isBuiltIn(before)) violations.add('key', 'belongs to the administration interface of this server');
  if (secret !== undefined) {
    await deps.secrets.checkSame(secret, before.secret, rotation(key), violations);
  }
  if (owner.name !== before.owner || owner.identityProvider !== before.ownerAuthority) {
    violations.add(
      'owner',
      `is another one here; change it with "${shellCommand('watchword resource-server update {name} --owner OWNER', { name: key })}"`,
    );
  }
  violations.throwIfAny();
  const current = submittedOf(resourceServerFields, before);
  const edited = storedForm({ ...current, ...submitted.apply(current) }, current);
  const stronger = await deps.secrets.strengthened(key, before.secret, secret);
  if (stronger !== undefined) {
    await changeRecords(caller, deps, async ({ resourceServers }) => {
      await resourceServers.replaceSecret(before.id, stronger);
      return { value: undefined, changes: [{ ...weakSecretNoted, ...ofResourceServer(before) }] };
    });
  }
  const changed = stronger === undefined ? [] : ['weakSecret'];
  if (isUnchanged(submitted, current, edited)) return outcomeOf(before, changed);
  // The clients of the import follow: `importRecords` checks them all afterwards.
  const { resourceServer } = await resourceServerRegistration(deps).update(caller, before.id, submitted, {
    checksClients: false,
  });
  const { after } = resourceServerDifference(before, resourceServer);
  return outcomeOf(resourceServer, [...Object.keys(after), ...changed]);
}

function rotation(key: string): string {
  return shellCommand('watchword resource-server rotate-secret {name}', { name: key });
}
