import {
  type Client,
  type ClientRegistration,
  chosenSecret,
  clientDefaults,
  editedClient,
  isBuiltIn,
  type ResourceServer,
  type ResourceServerScopes,
  rotatedClientSecret,
  shown,
  usesSecret,
  Violations,
  withOnlySecret,
} from '@watchword/protocol';
import { digestOfClient, managedClientChange } from '../clients/client-record.ts';
import { clientRegistration } from '../clients/client-registration.ts';
import { checkImportedName } from '../import/imported-record.ts';
import type { NewSecret } from '../registered/registered-fields.ts';
import type { Applying } from './applying.ts';
import type { ConfiguredClient } from './document.ts';
import { checkSecret, type KnownServers, secretToReplace } from './resource-servers.ts';
import { configuredClientSchema } from './schema.ts';

const members = [...Object.keys(configuredClientSchema.fields), 'otherResourceServers'];

interface FoundClient {
  readonly record: Client;
  /** `undefined`: another configuration manages it, or none. */
  readonly appliedDigest: string | undefined;
}

/** Returns how many the configuration has. */
export async function applyClients(applying: Applying, known: KnownServers): Promise<number> {
  const { configuration, refusals } = applying;
  const found = await existingClients(applying);
  const serverOf = lookup(applying, known);
  const added: (readonly [ConfiguredClient, Target])[] = [];
  for (const given of configuration.clients) {
    try {
      const names = [given.resourceServer, ...given.others.map(({ key }) => key)];
      // What is wrong with a resource server of the document was said there.
      const isRefused = names.some((key) => isNamed(configuration, key) && !known.has(key));
      if (isRefused) continue;
      const before = found.get(given.clientId);
      const target = await targetOf(given, before?.record, serverOf);
      if (before === undefined) added.push([given, target]);
      else await change(applying, given, target, before);
    } catch (error) {
      refusals.addError(error, given.place, members);
    }
  }
  for (let start = 0; start < added.length; start += createdTogether)
    await createAll(applying, added.slice(start, start + createdTogether));
  return configuration.clients.length;
}

const createdTogether = 1000;

/** At the same time, so that the store gets them together. */
async function createAll(
  applying: Applying,
  added: readonly (readonly [ConfiguredClient, Target])[],
): Promise<void> {
  const results = await Promise.allSettled(added.map(([given, target]) => create(applying, given, target)));
  for (const [index, result] of results.entries()) {
    const place = added[index]?.[0].place ?? '';
    if (result.status === 'rejected') applying.refusals.addError(result.reason, place, members);
  }
}

function isNamed({ resourceServers }: Applying['configuration'], key: string): boolean {
  return resourceServers.some((server) => server.key === key);
}

/** Of many clients in few statements. */
async function existingClients({ deps, configuration }: Applying): Promise<ReadonlyMap<string, FoundClient>> {
  const managed = await deps.clients.listManaged({ by: configuration.name });
  const found = new Map<string, FoundClient>(managed.map((each) => [each.record.clientId, each]));
  const names = configuration.clients.map(({ clientId }) => clientId).filter((name) => !found.has(name));
  for (const record of await deps.clients.findByClientIds(names))
    found.set(record.clientId, { record, appliedDigest: undefined });
  return found;
}

/** Finds a resource server by its key once. */
function lookup({ deps }: Applying, known: KnownServers) {
  const others = new Map<string, Promise<ResourceServer | undefined>>();
  return (key: string): Promise<ResourceServer | undefined> => {
    const server = known.get(key)?.server;
    if (server !== undefined) return Promise.resolve(server);
    const found = others.get(key) ?? deps.resourceServers.find(key);
    others.set(key, found);
    return found;
  };
}

interface Target {
  readonly home: ResourceServer;
  readonly registration: ClientRegistration;
}

/** The whole registration, with the record ids of the resource servers that it names. */
async function targetOf(
  { resourceServer, others, fields }: ConfiguredClient,
  before: Client | undefined,
  serverOf: (key: string) => Promise<ResourceServer | undefined>,
): Promise<Target> {
  const violations = new Violations();
  const usable = async (field: string, key: string) => {
    const server = await serverOf(key);
    if (server !== undefined && !isBuiltIn(server)) return server;
    violations.add(field, `${shown(key, 80)} is no key of a resource server, here or in the database`);
    return undefined;
  };
  const home = await usable('resourceServer', resourceServer);
  if (home !== undefined && before !== undefined && before.resourceServerId !== home.id)
    violations.add(
      'resourceServer',
      'is another one here, and a client never changes it: choose another clientId',
    );
  const otherResourceServers: ResourceServerScopes[] = [];
  for (const { key, scopes } of others) {
    const server = await usable('otherResourceServers', key);
    if (server !== undefined) otherResourceServers.push({ resourceServerId: server.id, scopes });
  }
  violations.throwIfAny();
  if (home === undefined) throw new Error('a resource server that was not found is no violation');
  return { home, registration: editedClient(clientDefaults, { ...fields, otherResourceServers }) };
}

async function create(
  { caller, deps }: Applying,
  { clientId, secret }: ConfiguredClient,
  { home, registration }: Target,
): Promise<void> {
  const violations = new Violations();
  checkImportedName('clientId', clientId, violations);
  checkSecretOf(registration, secret, true, violations);
  violations.throwIfAny();
  await clientRegistration(deps).create(
    caller,
    home.id,
    { fields: registration },
    { clientId, secret: secret === undefined ? undefined : chosenSecret(secret) },
  );
}

async function change(
  applying: Applying,
  { secret }: ConfiguredClient,
  { home, registration }: Target,
  { record: before, appliedDigest }: FoundClient,
): Promise<void> {
  const { caller, deps } = applying;
  const violations = new Violations();
  checkSecretOf(registration, secret, before.secret === undefined, violations);
  violations.throwIfAny();
  const hasSecret = usesSecret(registration);
  const newSecret = hasSecret
    ? (secretToReplace(secret, before.secret, applying, rotatedClientSecret) ??
      onlySecret(secret, { before, isTakenOver: appliedDigest === undefined }, applying))
    : undefined;
  const kept = hasSecret ? (newSecret?.stored ?? before.secret) : undefined;
  const digest = managedClientChange(deps, registration, kept).appliedDigest;
  if (digest === appliedDigest && digest === digestOfClient(before)) return;
  const address = { resourceServerId: home.id, id: before.id };
  await clientRegistration(deps).update(
    caller,
    address,
    { apply: () => registration },
    { secret: newSecret },
  );
}

/** Nobody who reads the file knows of another secret, and as long as it manages the client, nobody removes one. */
function onlySecret(
  secret: string | undefined,
  { before, isTakenOver }: { readonly before: Client; readonly isTakenOver: boolean },
  { deps: { clock }, options: { overlap } }: Applying,
): NewSecret | undefined {
  if (secret === undefined || !isTakenOver) return undefined;
  const stored = withOnlySecret(secret, before.secret, clock.now(), overlap);
  return stored && { stored, overlap };
}

function checkSecretOf(
  registration: ClientRegistration,
  secret: string | undefined,
  isNew: boolean,
  violations: Violations,
): void {
  if (usesSecret(registration)) checkSecret(secret, isNew, violations);
  else if (secret !== undefined) {
    const kind = registration.confidential ? 'a client with assertions' : 'a public client';
    violations.add('secret', `must be left out: ${kind} has no secret`);
  }
}
