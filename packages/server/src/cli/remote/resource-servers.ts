import type { AdminClient } from '@watchword/admin-client';
import type { ScopeDescription } from '@watchword/protocol';
import type { ResourceServerTools } from '../administration.ts';
import { firstOf } from '../paging.ts';
import { withDescriptions } from '../scope-descriptions.ts';
import { UsageError } from '../usage-error.ts';
import { type RecordFinder, rows } from './find-records.ts';

export function remoteResourceServers(admin: AdminClient, find: RecordFinder): ResourceServerTools {
  return {
    async list({ after, limit }) {
      const found = await find.resourceServers();
      return firstOf(rows(found.filter(({ id }) => id > after)), limit, found.length);
    },
    find: find.resourceServer,
    describe: async (key) =>
      (await admin.resourceServers.getDescribed((await find.resourceServer(key)).id)).record,
    async create({ scopeDescriptions = [], ...given }, { owner, key }) {
      rejectOwner(owner);
      const scopes = withDescriptions(given.scopes ?? [], scopeDescriptions, []);
      const fields = { ...given, scopes: submitted(scopes), ...(key !== undefined && { key }) };
      const { secret = '', ...created } = await admin.resourceServers.create(fields);
      return { ...created, secret };
    },
    async update(key, { scopeDescriptions = [], ...changed }, owner) {
      rejectOwner(owner);
      const { id } = await find.resourceServer(key);
      if (scopeDescriptions.length === 0) return (await admin.resourceServers.update(id, changed)).record;
      const { record, version } = await admin.resourceServers.getDescribed(id);
      const names = changed.scopes ?? record.scopes.map(({ name }) => name);
      const scopes = submitted(withDescriptions(names, scopeDescriptions, record.scopes));
      return (await admin.resourceServers.update(id, { ...changed, scopes }, { version })).record;
    },
    async dependents(key) {
      const server = await find.resourceServer(key);
      const [clients, counted] = await Promise.all([find.clientsOf(server), find.countedClients()]);
      const own = counted.items.filter(({ resourceserver_id }) => resourceserver_id === server.id);
      return {
        clients: clients.length,
        tokens: own.reduce((sum, client) => sum + client.tokens, 0),
        isLeast: !counted.isComplete || own.some(({ isLeast }) => isLeast),
      };
    },
    delete: async (key) => admin.resourceServers.delete((await find.resourceServer(key)).id),
    async rotateSecret(key, overlap) {
      const { id } = await find.resourceServer(key);
      return (await admin.resourceServers.rotateSecret(id, { overlap })).secret ?? '';
    },
    revokeTokens: async (key) => admin.resourceServers.revokeTokens((await find.resourceServer(key)).id),
  };
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
