import {
  type Client,
  type Clock,
  type LogoutDelivery,
  type LogoutDeliveryStore,
  OAuthError,
} from '@watchword/protocol';
import type { RegisteredRecords } from '../callers/active-token.ts';
import type { Caller } from '../callers/caller.ts';
import { owns } from '../callers/ownership.ts';
import { type Page, type PageRequest, readPage } from '../lists/page.ts';

interface LogoutDeliveryDependencies {
  readonly clients: { find(clientId: string): Promise<Client | undefined> };
  readonly registered: RegisteredRecords;
  readonly logoutDeliveries: Pick<LogoutDeliveryStore, 'find' | 'list' | 'retry'>;
  readonly clock: Clock;
}

interface LogoutDeliveryFilter {
  readonly clientId?: string | undefined;
  /** Only those without another attempt, or only those that have one. */
  readonly failed?: boolean | undefined;
}

/** A delivery with its client as registered now. */
export interface ListedLogoutDelivery extends LogoutDelivery {
  readonly client: Client;
}

/** Logout tokens that clients have not accepted: for administrators all, for other callers those of their own clients. */
export interface LogoutDeliveryAdministration {
  /** Newest session first. */
  list(
    caller: Caller,
    filter: LogoutDeliveryFilter,
    page: PageRequest<string>,
  ): Promise<Page<ListedLogoutDelivery, string>>;
  /** Makes an attempt now, and further attempts as for a new delivery. @throws OAuthError `not_found` */
  retry(caller: Caller, id: string): Promise<void>;
}

export function logoutDeliveryAdministration(deps: LogoutDeliveryDependencies): LogoutDeliveryAdministration {
  const { clients, logoutDeliveries, clock } = deps;
  return {
    async list(caller, { clientId, failed }, page) {
      const wanted = clientId === undefined ? undefined : await clients.find(clientId);
      if (clientId !== undefined && wanted === undefined) return { items: [], next: undefined };
      return readPage(page, {
        fetch: (before, limit) =>
          logoutDeliveries.list({ clientRecordId: wanted?.id, failed, before, limit }),
        positionOf: ({ id }) => id,
        pick: (delivery) => listed(delivery, caller, deps),
      });
    },

    async retry(caller, id) {
      const found = await logoutDeliveries.find(id);
      const own = found && (await listed(found, caller, deps));
      if (own === undefined || !(await logoutDeliveries.retry(own, clock.now()))) {
        throw new OAuthError('not_found', {
          description: 'There is no such logout delivery. The client may have accepted the logout token.',
        });
      }
    },
  };
}

/** `undefined` if the client is deleted, or belongs to another owner than the caller. */
async function listed(
  delivery: LogoutDelivery,
  caller: Caller,
  { registered: { clients, resourceServers } }: LogoutDeliveryDependencies,
): Promise<ListedLogoutDelivery | undefined> {
  const client = await clients.findById(delivery.clientRecordId);
  const resourceServer = client && (await resourceServers.findById(client.resourceServerId));
  if (client === undefined || resourceServer === undefined || !owns(caller, resourceServer)) return undefined;
  return { ...delivery, client };
}
