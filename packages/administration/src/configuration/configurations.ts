import type {
  AppliedConfiguration,
  AuditEvent,
  ConfigurationReader,
  SectorIdentifiers,
} from '@watchword/protocol';
import { type Caller, requireAdministrator } from '../callers/caller.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { undoable } from '../changes/undoable.ts';
import { readForImport } from '../import/import-records.ts';
import { checkJwtClients } from '../resource-servers/jwt-clients.ts';
import type { Applying, ApplyOptions } from './applying.ts';
import { applyClients } from './clients.ts';
import { removeOthers } from './deletions.ts';
import { type Configuration, readConfiguration } from './document.ts';
import { storesForMany } from './many-changes.ts';
import { type ConfigurationPlan, planOf } from './plan.ts';
import { Refusals } from './refusals.ts';
import { applyResourceServers, type KnownServers } from './resource-servers.ts';

/** Configurations as code, for administrators. */
export interface ConfigurationAdministration {
  /** In the order of their names. */
  list(caller: Caller): Promise<AppliedConfiguration[]>;
  /** @param document as JSON, with the secrets themselves @throws OAuthError `invalid_request` with everything that is wrong */
  apply(caller: Caller, document: unknown, options: ApplyOptions): Promise<ConfigurationPlan>;
}

export interface ConfigurationDependencies extends AdministrationDependencies {
  readonly configurations: ConfigurationReader;
}

export function configurationAdministration(deps: ConfigurationDependencies): ConfigurationAdministration {
  return {
    async list(caller) {
      requireAdministrator(caller, 'see the configurations');
      return deps.configurations.list();
    },
    apply: (caller, document, options) => applyConfiguration(caller, deps, document, options),
  };
}

/**
 * Makes the records of a configuration what its document says, all of them or none, in one transaction. A second application at the same
 * time waits for it and sees its result. It goes through the operations that change single records, so their rules hold, and what
 * they audit is the plan.
 *
 * @param caller an administrator
 * @param document as JSON, with the secrets themselves
 * @throws OAuthError `invalid_request` with everything that is wrong, each with its place: then nothing has changed
 */
async function applyConfiguration(
  caller: Caller,
  deps: AdministrationDependencies,
  document: unknown,
  options: ApplyOptions,
): Promise<ConfigurationPlan> {
  requireAdministrator(caller, 'apply a configuration');
  const refusals = new Refusals();
  const configuration = await readConfiguration(document, refusals);
  refusals.throwIfAny();
  // Before the transaction, which must not wait for other servers.
  const sectorIdentifiers = await readSectorDocuments(deps, configuration);
  let events: readonly AuditEvent[] = [];
  return undoable(async (undo: (plan: ConfigurationPlan) => never) => {
    const plan = await changeRecords(caller, deps, async (transaction) => {
      const { stores, writeEvents, ...many } = storesForMany(transaction);
      events = many.events;
      const { ownerLimits: _, audited: _audited, ...others } = deps;
      const within = {
        ...{ ...others, ...stores, sectorIdentifiers, configuration: configuration.name },
        transact: <Value>(work: (same: typeof stores) => Promise<Value>) => work(stores),
      };
      // The transaction has checked once that the access of the caller has not ended.
      const inner = { ...caller, access: undefined };
      const setsOwners = caller.access === undefined;
      const applying = { caller: inner, deps: within, configuration, options, refusals, setsOwners };
      const value = planOf(configuration, events, await applyAll(applying));
      if (options.isDryRun) undo(value);
      await writeEvents();
      return { value, changes: [] };
    });
    for (const event of events) deps.audited?.(event);
    return plan;
  });
}

/** Names are free again, and nothing is left of resource servers that go, before the rest. */
async function applyAll(applying: Applying): Promise<KnownServers> {
  const { deps, configuration, refusals, caller } = applying;
  await removeOthers(applying);
  const known = await applyResourceServers(applying);
  const clients = await applyClients(applying, known);
  for (const { place, server, isNewFormat } of known.values()) {
    if (!isNewFormat) continue;
    try {
      // The clients of the document are as they are afterwards.
      await checkJwtClients(server, deps.clients);
    } catch (error) {
      refusals.addError(error, place, ['accessTokenFormat']);
    }
  }
  refusals.throwIfAny();
  await keepNote(applying, configuration.resourceServers.length + clients, caller);
  return known;
}

/** Only a change is noted, so that a repetition writes nothing. */
async function keepNote(
  { deps, configuration: { name } }: Applying,
  records: number,
  caller: Caller,
): Promise<void> {
  const { configurations } = deps;
  const before = (await configurations.list()).find((each) => each.name === name);
  if (records === 0) return configurations.remove(name);
  if (before?.records === records && !before.isRestored) return;
  await configurations.put({ name, records, appliedAt: deps.clock.now(), appliedBy: caller.identity.name });
}

function readSectorDocuments(
  deps: AdministrationDependencies,
  { clients }: Configuration,
): Promise<SectorIdentifiers> {
  return readForImport(
    deps,
    clients.map(({ clientId, fields }) => ({ clientId, submitted: { apply: () => fields } })),
  );
}
