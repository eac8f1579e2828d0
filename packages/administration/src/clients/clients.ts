import {
  type Client,
  type ClientQuery,
  clientTexts,
  endRights,
  generateSecret,
  isBuiltInClient,
  lastingSecrets,
  latestNow,
  OAuthError,
  rotatedClientSecret,
} from '@watchword/protocol';
import { ownClient, ownResourceServer } from '../callers/ownership.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { checkCondition, revisionTag } from '../changes/edit.ts';
import { checkManaged } from '../changes/managed.ts';
import { type Page, type PageRequest, readPage, searchFor } from '../lists/page.ts';
import type { ClientAdministration, ClientFilter } from './client-administration.ts';
import { clientDifference, clientRecord, ofClient } from './client-record.ts';
import { clientRegistration } from './client-registration.ts';
import { checkRoom, checkUsesSecret, clientSecrets } from './client-secrets.ts';
import { confirmed } from './client-trust.ts';

export function clientAdministration(deps: AdministrationDependencies): ClientAdministration {
  const { clock, random } = deps;

  return {
    ...clientLists(deps),
    ...clientRegistration(deps),
    ...clientSecrets(deps),

    confirm: (caller, address, condition) =>
      changeRecords(caller, deps, async (stores) => {
        const { client: before, resourceServer } = await ownClient(caller, address, stores);
        if (!caller.isAdministrator) {
          throw new OAuthError('access_denied', {
            description: 'Administrators alone confirm a client.',
            rule: 'administrator',
          });
        }
        checkCondition(condition, revisionTag(before));
        checkManaged(before, deps);
        if (before.trusted) return { value: before, changes: [] };
        const after = await stores.clients.update(before.id, confirmed);
        if (after === undefined) throw new Error('a client that was just read does not exist');
        const updated = { action: 'update', ...ofClient(after, resourceServer) } as const;
        return { value: after, changes: [{ ...updated, ...clientDifference(before, after) }] };
      }),

    delete: (caller, address, condition) =>
      changeRecords(caller, deps, async (stores) => {
        const { client, resourceServer } = await ownClient(caller, address, stores);
        checkCondition(condition, revisionTag(client));
        checkManaged(client, deps);
        if (isBuiltInClient(client, resourceServer)) {
          throw new OAuthError('conflict', {
            description: 'The administration interface itself depends on this client: it cannot be deleted.',
          });
        }
        const ends = await endRights({ clientRecordId: client.id }, stores);
        await stores.clients.delete(client.id);
        const deleted = { action: 'delete', ...ofClient(client, resourceServer) } as const;
        return { value: undefined, changes: [...ends, { ...deleted, before: clientRecord(client) }] };
      }),

    rotateSecret: (caller, address, overlapSeconds) =>
      changeRecords(caller, deps, async (stores) => {
        const { client, resourceServer } = await ownClient(caller, address, stores);
        checkUsesSecret(client);
        checkManaged(client, deps);
        // Only one that has an end is forgotten before the overlap is over.
        if (overlapSeconds > 0) checkRoom(lastingSecrets(client.secret), clock.now());
        const secret = generateSecret(random);
        const stored = rotatedClientSecret(secret, client.secret, clock.now(), overlapSeconds);
        await stores.clients.replaceSecret(client.id, stored);
        const rotated = { action: 'rotateSecret', ...ofClient(client, resourceServer) } as const;
        return {
          value: { client: (await ownClient(caller, address, stores)).client, secret },
          changes: [{ ...rotated, after: { overlap: overlapSeconds } }],
        };
      }),

    revokeTokens: (caller, address) =>
      changeRecords(caller, deps, async (stores) => {
        const { client, resourceServer } = await ownClient(caller, address, stores);
        await stores.clients.revokeTokens(client.id, latestNow(clock));
        return {
          value: undefined,
          changes: [{ action: 'revokeTokens', ...ofClient(client, resourceServer) }],
        };
      }),
  };
}

/** Reads clients. */
function clientLists(
  deps: Pick<AdministrationDependencies, 'clients' | 'resourceServers'>,
): Pick<ClientAdministration, 'listAll' | 'list' | 'find'> {
  const search = (
    among: Pick<ClientQuery, 'resourceServerId' | 'owner'>,
    { q }: ClientFilter,
    page: PageRequest<number>,
  ): Promise<Page<Client, number>> => {
    const { mayContain, matches } = searchFor(q);
    return readPage(page, {
      fetch: (after, limit) =>
        deps.clients.list({
          ...among,
          mayContain,
          ...(after !== undefined && { after }),
          limit,
        }),
      positionOf: ({ id }) => id,
      pick: (client) => (matches(...clientTexts(client)) ? client : undefined),
    });
  };

  return {
    listAll: (caller, filter, page) =>
      search(caller.isAdministrator ? {} : { owner: caller.identity }, filter, page),

    async list(caller, resourceServerId, filter, page) {
      await ownResourceServer(caller, resourceServerId, deps);
      return search({ resourceServerId }, filter, page);
    },

    find: async (caller, address) => (await ownClient(caller, address, deps)).client,
  };
}
