import { type AdminClient, type ResourceServer, readAll } from '@watchword/admin-client';
import type { ResourceServerRecord, ResourceServerRegistration } from '@watchword/administration';
import type { Identity, ScopeDescription } from '@watchword/protocol';
import type { ListedRows } from '../command/output.ts';
import { firstOf, type ListOptions } from '../command/paging.ts';
import { UsageError } from '../command/usage-error.ts';
import type { Dependents } from './dependents.ts';
import { listed, type RecordFinder, rows } from './find-records.ts';
import { noOtherClient } from './not-found.ts';
import type { OnDatabase } from './on-database.ts';
import { withDescriptions } from './scope-descriptions.ts';

/** What a new resource server gets. */
export interface ChosenForServer {
  /** The record owner; `undefined` for the usual one. */
  readonly owner: Identity | undefined;
  /** `undefined` for one that is made from the name. */
  readonly key: string | undefined;
}

export function resourceServerTools(admin: AdminClient, find: RecordFinder, onDatabase?: OnDatabase) {
  const update = async (
    id: number,
    changed: Partial<ResourceServerRegistration>,
    scopeDescriptions: readonly ScopeDescription[],
  ) => {
    if (scopeDescriptions.length === 0) return (await admin.resourceServers.update(id, changed)).record;
    const { record, version } = await admin.resourceServers.getDescribed(id);
    const names = changed.scopes ?? record.scopes.map(({ name }) => name);
    const scopes = submitted(withDescriptions(names, scopeDescriptions, record.scopes));
    return (await admin.resourceServers.update(id, { ...changed, scopes }, { version })).record;
  };

  return {
    /** By id. */
    async list({ after, limit }: ListOptions<number>): Promise<ListedRows> {
      const found = await find.resourceServers();
      return firstOf(rows(found.filter(({ id }) => id > after)), limit, found.length);
    },
    find: find.resourceServer,
    named: (name: string, chosen: ChosenForServer) => named(admin, name, chosen),
    /** With the descriptions of its scopes. */
    describe: async (key: string) =>
      (await admin.resourceServers.getDescribed((await find.resourceServer(key)).id)).record,
    async create(
      { scopeDescriptions = [], ...given }: Partial<ResourceServerRegistration>,
      { owner, key }: ChosenForServer,
    ) {
      if (onDatabase !== undefined) {
        return onDatabase.createResourceServer({ scopeDescriptions, ...given }, { owner, key });
      }
      rejectOwner(owner);
      const scopes = withDescriptions(given.scopes ?? [], scopeDescriptions, []);
      const fields = { ...given, scopes: submitted(scopes), ...(key !== undefined && { key }) };
      const { secret = '', ...created } = await admin.resourceServers.create(fields);
      return { ...created, secret };
    },
    async update(
      key: string,
      { scopeDescriptions = [], ...changed }: Partial<ResourceServerRegistration>,
      owner: Identity | undefined,
    ): Promise<ResourceServerRecord & { readonly resetClients?: readonly string[] }> {
      const { id } = await find.resourceServer(key);
      if (onDatabase === undefined) rejectOwner(owner);
      const updated = await update(id, changed, scopeDescriptions);
      return onDatabase === undefined || owner === undefined ? updated : onDatabase.changeOwner(id, owner);
    },
    /** What would die with it. */
    async dependents(key: string): Promise<Dependents> {
      const server = await find.resourceServer(key);
      if (onDatabase !== undefined) return onDatabase.dependentsOfResourceServer(server.id);
      const [clients, counted] = await Promise.all([find.clientsOf(server), find.countedClients()]);
      const own = counted.items.filter(({ resourceserver_id }) => resourceserver_id === server.id);
      return {
        clients: clients.length,
        tokens: own.reduce((sum, client) => sum + client.tokens, 0),
        isLeast: !counted.isComplete || own.some(({ isLeast }) => isLeast),
      };
    },
    delete: async (key: string) => admin.resourceServers.delete((await find.resourceServer(key)).id),
    /** Resolves with the new secret. */
    async rotateSecret(key: string, overlap: number) {
      const { id } = await find.resourceServer(key);
      return (await admin.resourceServers.rotateSecret(id, { overlap })).secret ?? '';
    },
    /** Revokes every token of its clients. */
    revokeTokens: async (key: string) =>
      admin.resourceServers.revokeTokens((await find.resourceServer(key)).id),
  };
}

/** For the clients of other resource servers that can use one. */
export function otherClientTools({ otherClients }: AdminClient, find: RecordFinder) {
  return {
    list: async (key: string, limit: number) => {
      const { id } = await find.resourceServer(key);
      return listed(await readAll((page) => otherClients.list(id, page), limit));
    },
    async remove(key: string, clientId: string) {
      const { id: resourceServerId } = await find.resourceServer(key);
      const { items } = await readAll((page) => otherClients.list(resourceServerId, page));
      const found = items.find((client) => client.clientId === clientId);
      if (found === undefined) throw noOtherClient(key, clientId);
      await otherClients.remove({ resourceServerId, id: found.id });
    },
  };
}

/** The one with the key, or else with the name, of the owner if one is given. */
async function named(
  { resourceServers }: AdminClient,
  name: string,
  { owner, key }: ChosenForServer,
): Promise<ResourceServer | undefined> {
  const { items } = await readAll((page) => resourceServers.list({ ...page, q: key ?? name }));
  return items.find((found) => {
    if (key !== undefined) return found.key === key;
    const isOwned = found.owner === owner?.name && found.ownerAuthority === owner.identityProvider;
    return found.name === name && (owner === undefined || isOwned);
  });
}

/** A name alone keeps the description that the scope has. */
function submitted(scopes: readonly ScopeDescription[]): (string | ScopeDescription)[] {
  return scopes.map((scope) =>
    scope.description === undefined && scope.descriptions === undefined ? scope.name : scope,
  );
}

function rejectOwner(owner: unknown): void {
  if (owner === undefined) return;
  throw new UsageError('--owner: with --url a new record belongs to the caller; leave out --owner');
}
