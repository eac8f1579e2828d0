import { noIdentityProvider, resourceServerRecord } from '@watchword/protocol';
import type { ResourceServerTools } from '../administration.ts';
import { dependentsOfResourceServer } from './dependents.ts';
import { existingResourceServer, type LocalRecords } from './records.ts';

/** Record owner of resource servers that the command line registers, unless the command names another one. */
const usualOwner = { name: 'operator', identityProvider: noIdentityProvider };

export function localResourceServers({ store, caller, resourceServers }: LocalRecords): ResourceServerTools {
  const idOf = async (key: string) => (await existingResourceServer(store, key)).id;

  return {
    list: async (options) => (await store.resourceServers.list(options)).map(resourceServerRecord),
    find: async (key) => resourceServerRecord(await existingResourceServer(store, key)),
    async create(fields, owner = usualOwner) {
      const { resourceServer, secret } = await resourceServers.create(caller, { fields }, { owner });
      return { ...resourceServerRecord(resourceServer), secret };
    },
    async update(key, changed, owner) {
      const id = await idOf(key);
      const { resourceServer } = await resourceServers.update(caller, id, { apply: () => changed });
      return resourceServerRecord(
        owner === undefined ? resourceServer : await resourceServers.changeOwner(caller, id, owner),
      );
    },
    dependents: async (key) => dependentsOfResourceServer(store, await idOf(key)),
    delete: async (key) => resourceServers.delete(caller, await idOf(key)),
    rotateSecret: async (key, overlap) =>
      (await resourceServers.rotateSecret(caller, await idOf(key), overlap)).secret,
  };
}
