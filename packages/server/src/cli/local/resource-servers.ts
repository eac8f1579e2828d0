import {
  answeredResourceServer,
  describedResourceServer,
  noIdentityProvider,
  type ResourceServerRegistration,
  scopesOf,
} from '@watchword/protocol';
import type { ResourceServerTools } from '../administration.ts';
import { firstOf } from '../paging.ts';
import { withDescriptions } from '../scope-descriptions.ts';
import { dependentsOfResourceServer } from './dependents.ts';
import { readFirst } from './read-pages.ts';
import { existingResourceServer, type LocalRecords } from './records.ts';

/** Record owner of resource servers that the command line registers, unless the command names another one. */
const usualOwner = { name: 'operator', identityProvider: noIdentityProvider };

export function localResourceServers({ store, caller, resourceServers }: LocalRecords): ResourceServerTools {
  const idOf = async (key: string) => (await existingResourceServer(store, key)).id;

  return {
    async list(options) {
      const found = await readFirst(store.resourceServers.list, options, ({ id }) => id);
      const rows = found.map((server) => ({ ...answeredResourceServer(server) }));
      return firstOf(rows, options.limit, await store.resourceServers.count());
    },
    find: async (key) => answeredResourceServer(await existingResourceServer(store, key)),
    describe: async (key) => describedResourceServer(await existingResourceServer(store, key)),
    async create({ scopeDescriptions = [], ...given }, { owner = usualOwner, key }) {
      const scopes = withDescriptions(given.scopes ?? [], scopeDescriptions, []);
      const fields = { ...given, ...scopesOf(scopes, []) };
      const { resourceServer, secret } = await resourceServers.create(
        caller,
        { fields },
        { owner, chosen: key },
      );
      return { ...answeredResourceServer(resourceServer), secret };
    },
    async update(key, { scopeDescriptions = [], ...changed }, owner) {
      const apply = (current: ResourceServerRegistration) => {
        const names = changed.scopes ?? current.scopes;
        const scopes = withDescriptions(names, scopeDescriptions, current.scopeDescriptions);
        return { ...changed, ...scopesOf(scopes, current.scopeDescriptions) };
      };
      const id = await idOf(key);
      const { resourceServer } = await resourceServers.update(caller, id, { apply });
      return answeredResourceServer(
        owner === undefined ? resourceServer : await resourceServers.changeOwner(caller, id, owner),
      );
    },
    dependents: async (key) => dependentsOfResourceServer(store, await idOf(key)),
    delete: async (key) => resourceServers.delete(caller, await idOf(key)),
    rotateSecret: async (key, overlap) =>
      (await resourceServers.rotateSecret(caller, await idOf(key), overlap)).secret,
    revokeTokens: async (key) => resourceServers.revokeTokens(caller, await idOf(key)),
  };
}
