import {
  type Client,
  generateSecret,
  isBuiltIn,
  isHomeOfOpenClients,
  latestNow,
  OAuthError,
  resourceServerTexts,
  rotatedSecret,
  type TransactionStores,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { ownResourceServer } from '../callers/ownership.ts';
import {
  type AdministrationDependencies,
  type Changed,
  changeInParts,
  changeRecords,
} from '../changes/change-records.ts';
import { checkCondition, revisionTag } from '../changes/edit.ts';
import { checkManaged } from '../changes/managed.ts';
import { clientRecord, ofClient } from '../clients/client-record.ts';
import { changeClientsOfOthers, followOwner } from '../clients/clients-of-others.ts';
import { everyRecord, readPage, searchFor } from '../lists/page.ts';
import type { ResourceServerAdministration } from './resource-server-administration.ts';
import {
  auditedResourceServer,
  ofResourceServer,
  resourceServerDifference,
} from './resource-server-record.ts';
import { nameTaken, resourceServerRegistration } from './resource-server-registration.ts';

export function resourceServerAdministration(deps: AdministrationDependencies): ResourceServerAdministration {
  const { clock, random } = deps;

  return {
    ...resourceServerLists(deps),
    ...resourceServerRegistration(deps),

    changeOwner: (caller, id, owner) =>
      changeRecords(caller, deps, async (stores) => {
        const before = await ownResourceServer(caller, id, stores);
        checkManaged(before, deps);
        if (isBuiltIn(before)) throw builtInConflict('be given to another owner');
        const change = { owner: owner.name, ownerAuthority: owner.identityProvider };
        const after = await stores.resourceServers.update(id, change);
        if (after === undefined) throw nameTaken();
        const difference = resourceServerDifference(before, after);
        const changed = { action: 'update', ...ofResourceServer(after), ...difference } as const;
        return { value: after, changes: [changed, ...(await followOwner(before, after, stores))] };
      }),

    delete: (caller, id, condition) =>
      changeRecords(caller, deps, async (stores) => {
        const before = await ownResourceServer(caller, id, stores);
        checkCondition(condition, revisionTag(before));
        checkManaged(before, deps);
        if (isBuiltIn(before)) throw builtInConflict('be deleted');
        const clients = await allClients(id, stores);
        for (const client of clients) checkManaged(client, deps);
        const ofOthers = await changeClientsOfOthers(id, stores, () => undefined);
        await stores.resourceServers.delete(id);
        const deleted = { action: 'delete', ...ofResourceServer(before) } as const;
        return {
          value: undefined,
          changes: [
            { ...deleted, before: auditedResourceServer(before) },
            ...clients.map((client) => ({
              action: 'delete' as const,
              ...ofClient(client, before),
              before: clientRecord(client),
            })),
            ...ofOthers,
          ],
        };
      }),

    rotateSecret: (caller, id, overlapSeconds) =>
      changeRecords(caller, deps, async (stores) => {
        const before = await ownResourceServer(caller, id, stores);
        checkManaged(before, deps);
        const secret = generateSecret(random);
        const stored = rotatedSecret(secret, before.secret, clock.now(), overlapSeconds);
        await stores.resourceServers.replaceSecret(id, stored);
        const rotated = { action: 'rotateSecret', ...ofResourceServer(before) } as const;
        return {
          value: { resourceServer: await ownResourceServer(caller, id, stores), secret },
          changes: [{ ...rotated, after: { overlap: overlapSeconds } }],
        };
      }),

    async revokeTokens(caller, id) {
      const change = changeInParts(caller, deps);
      for (let after: number | undefined = 0; after !== undefined; ) {
        const from: number = after;
        after = await change((stores) => revokeBatch(caller, id, from, stores, latestNow(clock)));
      }
    },
  };
}

// Clients of one transaction: other writers wait for its end.
const batchSize = 500;

/** The value is the last client of the batch; `undefined` if there is no other one. */
async function revokeBatch(
  caller: Caller,
  id: number,
  after: number,
  stores: TransactionStores,
  until: number,
): Promise<Changed<number | undefined>> {
  // The first batch can have ended the access of the caller, and not the ownership.
  const of = ofResourceServer(await ownResourceServer(caller, id, stores));
  const page = await stores.clients.list({ resourceServerId: id, after, limit: batchSize });
  for (const client of page) await stores.clients.revokeTokens(client.id, until);
  const before = { clients: page.length };
  return {
    value: page.length < batchSize ? undefined : page.at(-1)?.id,
    changes: [{ action: 'revokeTokens', ...of, before }],
  };
}

async function allClients(resourceServerId: number, { clients }: TransactionStores): Promise<Client[]> {
  const found: Client[] = [];
  for await (const client of everyRecord((page) => clients.list({ resourceServerId, ...page })))
    found.push(client);
  return found;
}

function builtInConflict(what: string): OAuthError {
  return new OAuthError('conflict', {
    description: `The administration interface itself depends on this record: it cannot ${what}.`,
  });
}

/** Reads resource servers. */
function resourceServerLists(
  deps: Pick<AdministrationDependencies, 'resourceServers'>,
): Pick<ResourceServerAdministration, 'list' | 'find'> {
  return {
    list(caller, { q }, page) {
      const { mayContain, matches } = searchFor(q);
      return readPage(page, {
        fetch: (after, limit) =>
          deps.resourceServers.list({
            ...(!caller.isAdministrator && { owner: caller.identity }),
            mayContain,
            ...(after !== undefined && { after }),
            limit,
          }),
        positionOf: ({ id }) => id,
        pick: (server) =>
          !isHomeOfOpenClients(server) && matches(...resourceServerTexts(server)) ? server : undefined,
      });
    },

    find: (caller, id) => ownResourceServer(caller, id, deps),
  };
}
