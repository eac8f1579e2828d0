import type {
  Client,
  Clock,
  RecentRequestErrors,
  RequestError,
  RequestErrorStore,
} from '@watchword/protocol';
import type { RegisteredRecords } from '../callers/active-token.ts';
import type { Caller } from '../callers/caller.ts';
import { owns } from '../callers/ownership.ts';

export interface RequestErrorDependencies {
  readonly clients: { find(clientId: string): Promise<Client | undefined> };
  readonly registered: RegisteredRecords;
  readonly requestErrors: RequestErrorStore;
  readonly recentRequestErrors: RecentRequestErrors;
  readonly clock: Clock;
}

/** An error with its client as registered now. */
export interface ListedRequestError extends Omit<RequestError, 'clientRecordId'> {
  readonly client: Client;
}

/** Reads the errors that a caller can see: those in the memory of this node and those that are stored, each once. */
export interface RequestErrorReader {
  /** At most `limit` errors before the one with the id `before`, newest first. */
  fetch(before: string | undefined, limit: number): Promise<RequestError[]>;
  /** `undefined` if the client is deleted, or belongs to another owner than the caller. */
  listed(error: RequestError): Promise<ListedRequestError | undefined>;
}

/**
 * @param clientId only errors of this client
 * @param since epoch milliseconds: only errors of this time or later
 */
export async function requestErrorReader(
  caller: Caller,
  { clientId, since }: { readonly clientId: string | undefined; readonly since: number },
  deps: RequestErrorDependencies,
): Promise<RequestErrorReader> {
  const clientOf = ownClients(caller, deps);
  const listed: RequestErrorReader['listed'] = async ({ clientRecordId, ...error }) => {
    const client = await clientOf(clientRecordId);
    return client && { ...error, client };
  };
  const wanted = clientId === undefined ? undefined : await deps.clients.find(clientId);
  if (clientId !== undefined && (wanted === undefined || (await clientOf(wanted.id)) === undefined)) {
    return { fetch: async () => [], listed };
  }
  const stored = {
    since,
    ...(wanted && { clientRecordId: wanted.id }),
    ...(!caller.isAdministrator && { owner: caller.identity }),
  };
  const recent = await ownRecent(await deps.recentRequestErrors.list(wanted?.id), clientOf);
  return {
    async fetch(before, limit) {
      const found = new Map<string, RequestError>();
      for (const error of await deps.requestErrors.list({ ...stored, before, limit })) {
        found.set(error.id, error);
      }
      const start = before === undefined ? 0 : recent.findIndex(({ id }) => id < before);
      const part = start === -1 ? [] : recent.slice(start, start + limit);
      for (const error of part) if (error.time >= since) found.set(error.id, error);
      return [...found.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
    },
    listed,
  };
}

/** The errors in memory that the caller can see. A client has many errors, and is looked up once. */
async function ownRecent(
  errors: readonly RequestError[],
  clientOf: (id: number) => Promise<Client | undefined>,
): Promise<RequestError[]> {
  const own = new Set<number>();
  for (const id of new Set(errors.map(({ clientRecordId }) => clientRecordId))) {
    if ((await clientOf(id)) !== undefined) own.add(id);
  }
  return errors.filter(({ clientRecordId }) => own.has(clientRecordId));
}

/** Finds the clients that the caller can see, each once. */
function ownClients(
  caller: Caller,
  { registered: { clients, resourceServers } }: RequestErrorDependencies,
): (id: number) => Promise<Client | undefined> {
  const find = async (id: number) => {
    const client = await clients.findById(id);
    const resourceServer = client && (await resourceServers.findById(client.resourceServerId));
    return resourceServer !== undefined && owns(caller, resourceServer) ? client : undefined;
  };
  const known = new Map<number, Promise<Client | undefined>>();
  return (id) => {
    const client = known.get(id) ?? find(id);
    known.set(id, client);
    return client;
  };
}
