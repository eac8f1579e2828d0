import {
  canBeGuessed,
  chosenSecret,
  isBuiltIn,
  isReservedIdentityProvider,
  lastingSecrets,
  type MachineSecret,
  noIdentityProvider,
  type ResourceServer,
  rotatedSecret,
  secretMatches,
  strongSecretLength,
  Violations,
} from '@watchword/protocol';
import { characterProblem } from '../import/import-secrets.ts';
import { checkImportedName } from '../import/imported-record.ts';
import type { NewSecret } from '../registered/registered-fields.ts';
import { digestOfResourceServer, managedServerChange } from '../resource-servers/resource-server-record.ts';
import { resourceServerRegistration } from '../resource-servers/resource-server-registration.ts';
import { resourceServerDefaults, storedForm } from '../resource-servers/resource-server-rules.ts';
import { resourceServerAdministration } from '../resource-servers/resource-servers.ts';
import type { Applying } from './applying.ts';
import type { ConfiguredResourceServer } from './document.ts';
import type { Place } from './refusals.ts';
import { configuredResourceServerSchema } from './schema.ts';

/** The resource servers of a configuration, by their keys. Those that were refused are missing. */
export type KnownServers = ReadonlyMap<string, KnownServer>;

interface KnownServer {
  readonly place: Place;
  readonly server: ResourceServer;
  readonly isNewFormat: boolean;
}

const members = Object.keys(configuredResourceServerSchema.fields);

export async function applyResourceServers(applying: Applying): Promise<KnownServers> {
  const { deps, configuration, refusals } = applying;
  const managed = await deps.resourceServers.listManaged({ by: configuration.name });
  const byKey = new Map(managed.map((each) => [each.record.key, each]));
  const known = new Map<string, KnownServer>();
  for (const given of configuration.resourceServers) {
    const { key, place } = given;
    try {
      const found = byKey.get(key);
      const before = found?.record ?? (await deps.resourceServers.find(key));
      const server =
        before === undefined
          ? await create(applying, given)
          : await change(applying, given, before, found?.appliedDigest);
      known.set(key, { place, server, isNewFormat: before?.accessTokenFormat !== server.accessTokenFormat });
    } catch (error) {
      refusals.addError(error, place, members);
    }
  }
  return known;
}

async function create(
  { caller, deps, setsOwners }: Applying,
  { key, secret, fields, owner, ownerAuthority = noIdentityProvider }: ConfiguredResourceServer,
): Promise<ResourceServer> {
  const violations = new Violations();
  checkImportedName('key', key, violations);
  checkSecret(secret, true, violations);
  checkOwner(owner, ownerAuthority, setsOwners, violations);
  violations.throwIfAny();
  const { resourceServer } = await resourceServerRegistration(deps).create(
    caller,
    { fields },
    {
      key,
      ...(secret !== undefined && { secret: chosenSecret(secret) }),
      ...(setsOwners && { owner: { name: owner ?? usualOwner, identityProvider: ownerAuthority } }),
    },
  );
  return resourceServer;
}

/** Record owner of resource servers for which a command names none. */
const usualOwner = 'operator';

async function change(
  applying: Applying,
  { secret, fields, owner, ownerAuthority = noIdentityProvider }: ConfiguredResourceServer,
  before: ResourceServer,
  appliedDigest: string | undefined,
): Promise<ResourceServer> {
  const { caller, deps, setsOwners } = applying;
  const violations = new Violations();
  if (isBuiltIn(before)) violations.add('key', 'belongs to the server itself');
  checkSecret(secret, false, violations);
  const isGiven = owner !== undefined && (owner !== before.owner || ownerAuthority !== before.ownerAuthority);
  if (isGiven) checkOwner(owner, ownerAuthority, setsOwners, violations);
  violations.throwIfAny();
  const wanted = storedForm({ ...resourceServerDefaults, ...fields }, undefined);
  const newSecret = secretToReplace(secret, before.secret, applying, rotatedSecret);
  const owned = isGiven ? { owner, ownerAuthority } : before;
  const left = { ...wanted, owner: owned.owner, ownerAuthority: owned.ownerAuthority };
  const digest = managedServerChange(deps, left, newSecret?.stored ?? before.secret).appliedDigest;
  if (digest === appliedDigest && digest === digestOfResourceServer(before)) return before;
  if (isGiven) {
    const identity = { name: owner, identityProvider: ownerAuthority };
    await resourceServerAdministration(deps).changeOwner(caller, before.id, identity);
  }
  const { resourceServer } = await resourceServerRegistration(deps).update(
    caller,
    before.id,
    { apply: () => wanted },
    { checksClients: false, secret: newSecret },
  );
  return resourceServer;
}

function checkOwner(
  owner: string | undefined,
  ownerAuthority: string,
  setsOwners: boolean,
  violations: Violations,
): void {
  if (owner === undefined && ownerAuthority === noIdentityProvider) return;
  if (!setsOwners) {
    const whose = 'a new record belongs to who applies the configuration';
    violations.add('owner', `is set by commands on the database alone; leave it out: ${whose}`);
  } else if (owner === undefined) violations.add('owner', 'is required beside ownerAuthority');
  else if (ownerAuthority !== noIdentityProvider && isReservedIdentityProvider(ownerAuthority))
    violations.add('ownerAuthority', 'belongs to the server itself');
}

/** @param isRequired of a record that has none yet */
export function checkSecret(secret: string | undefined, isRequired: boolean, violations: Violations): void {
  if (secret === undefined) {
    if (isRequired) violations.add('secret', 'is required for a new record: env:NAME or file:PATH');
    return;
  }
  const problem = characterProblem(secret);
  if (problem !== undefined) violations.add('secret', problem);
  else if (canBeGuessed(secret))
    violations.add(
      'secret',
      `has fewer than ${strongSecretLength} characters, so it can be guessed; choose a longer one`,
    );
}

/** `undefined` if the record has it already, without an end, or the document leaves it out. */
export function secretToReplace(
  secret: string | undefined,
  known: MachineSecret | undefined,
  { deps: { clock }, options: { overlap } }: Applying,
  rotated: typeof rotatedSecret,
): NewSecret | undefined {
  if (secret === undefined) return undefined;
  const now = clock.now();
  if (secretMatches(lastingSecrets(known), secret, now)) return undefined;
  return { stored: rotated(secret, known, now, overlap), overlap };
}
