import { type Client, quoted, type ResourceServer } from '@watchword/protocol';
import { changeRecords } from '../changes/change-records.ts';
import { clientDifference, ofClient } from '../clients/client-record.ts';
import { clientAdministration } from '../clients/clients.ts';
import { ofResourceServer, resourceServerDifference } from '../resource-servers/resource-server-record.ts';
import { resourceServerAdministration } from '../resource-servers/resource-servers.ts';
import type { Applying } from './applying.ts';

// A file that was cut, or the wrong file, must not end the access of a company.
const fewDeletions = 10;

/** Deletes what the configuration manages and its document has no more, or lets it go. */
export async function removeOthers(applying: Applying): Promise<void> {
  const { deps, configuration, options } = applying;
  const { name } = configuration;
  const keys = new Set(configuration.resourceServers.map(({ key }) => key));
  const clientIds = new Set(configuration.clients.map(({ clientId }) => clientId));
  const [servers, clients] = [
    await deps.resourceServers.listManaged({ by: name }),
    await deps.clients.listManaged({ by: name }),
  ];
  const goneServers = servers.map(({ record }) => record).filter(({ key }) => !keys.has(key));
  const goneClients = clients.map(({ record }) => record).filter(({ clientId }) => !clientIds.has(clientId));
  const gone = goneServers.length + goneClients.length;
  if (gone === 0) return;
  if (options.keepsRemoved) return letGo(applying, goneServers, goneClients);
  if (!options.allowsDeletions) checkNumber(applying, gone, servers.length + clients.length);
  for (const { id, resourceServerId } of goneClients)
    await clientAdministration(deps).delete(applying.caller, { id, resourceServerId });
  for (const server of goneServers) await deleteServer(applying, server);
}

function checkNumber({ configuration, refusals }: Applying, gone: number, all: number): void {
  const { name, resourceServers, clients } = configuration;
  const isEmpty = resourceServers.length + clients.length === 0;
  if (!isEmpty && gone <= fewDeletions && gone * 2 <= Math.max(all, 2)) return;
  const what = isEmpty ? 'the file has no record' : `the file has ${gone} of ${all} records no more`;
  const advice = 'if it is the right file, add --allow-deletions, or --keep to let go of them';
  refusals.add('', `${what}, and those of ${quoted(name)} would be deleted with their tokens: ${advice}`);
}

/** Records that the configuration does not manage must not go with one that it does. */
async function deleteServer(
  { caller, deps, refusals }: Applying,
  { id, key }: ResourceServer,
): Promise<void> {
  const clients = await deps.clients.count({ resourceServerId: id });
  if (clients === 0) return resourceServerAdministration(deps).delete(caller, id);
  refusals.add(
    '',
    `the resource server ${quoted(key)} is not in the file any more, and cannot be deleted: ${clients} clients belong to it that this would not delete; delete them first, or add --keep`,
  );
}

/** They stay as they are, and people change them again. */
async function letGo(
  { caller, deps }: Applying,
  servers: readonly ResourceServer[],
  clients: readonly Client[],
): Promise<void> {
  const free = { managedBy: '' };
  for (const before of servers) {
    await changeRecords(caller, deps, async (stores) => {
      const after = (await stores.resourceServers.update(before.id, free)) ?? before;
      const difference = resourceServerDifference(before, after);
      return { value: undefined, changes: [{ action: 'update', ...ofResourceServer(after), ...difference }] };
    });
  }
  for (const before of clients) {
    await changeRecords(caller, deps, async (stores) => {
      const home = await stores.resourceServers.findById(before.resourceServerId);
      const after = await stores.clients.update(before.id, free);
      if (home === undefined || after === undefined)
        throw new Error('a client that was just read does not exist');
      const difference = clientDifference(before, after);
      return { value: undefined, changes: [{ action: 'update', ...ofClient(after, home), ...difference }] };
    });
  }
}
