import type { Client } from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { type Page, type PageRequest, readPage } from '../lists/page.ts';
import { type ExplainedError, explainRequestError } from './explain-request-error.ts';
import {
  type ListedRequestError,
  type RequestErrorDependencies,
  type RequestErrorReader,
  requestErrorReader,
} from './request-error-sources.ts';

export type { ExplainedError, ListedRequestError, RequestErrorDependencies };

interface RequestErrorFilter {
  readonly clientId?: string | undefined;
  /** Code of the error. */
  readonly error?: string | undefined;
}

/** Requests of one client that failed for the same reason. */
export interface RequestErrorGroup {
  readonly client: Client;
  readonly error: string;
  readonly reason: string;
  readonly requests: number;
  /** Epoch milliseconds. */
  readonly lastTime: number;
  /** Id of the last of these requests; `undefined` if it has none. */
  readonly lastRequestId: string | undefined;
}

/** Why requests of clients were refused in the last day: for administrators all, for other callers those of their own clients. */
export interface RequestErrorAdministration {
  /** Newest first. */
  list(
    caller: Caller,
    filter: RequestErrorFilter,
    page: PageRequest<string>,
  ): Promise<Page<ListedRequestError, string>>;
  /** The most frequent groups among the newest {@link summaryLimit} errors of the past hours. */
  summary(
    caller: Caller,
    filter: Pick<RequestErrorFilter, 'clientId'>,
    hours: number,
  ): Promise<RequestErrorSummary>;
  /** The error of one request, stored or in memory. @throws OAuthError `not_found` */
  explain(caller: Caller, requestId: string): Promise<ExplainedError>;
}

export interface RequestErrorSummary {
  /** Most frequent first. */
  readonly groups: readonly RequestErrorGroup[];
  /** Number of errors of authenticated clients that this node has not stored since its start. */
  readonly dropped: number;
}

/** Hours for which errors are kept. */
export const requestErrorHours = 24;
export const summaryLimit = 10_000;

const hourMs = 3_600_000;
const batchSize = 1000;
const maxGroups = 100;

export function requestErrorAdministration(deps: RequestErrorDependencies): RequestErrorAdministration {
  const read = (caller: Caller, clientId: string | undefined, hours: number) =>
    requestErrorReader(caller, { clientId, since: deps.clock.now() - hours * hourMs }, deps);
  return {
    async list(caller, { clientId, error: wanted }, page) {
      const { fetch, listed } = await read(caller, clientId, requestErrorHours);
      return readPage(page, {
        fetch,
        positionOf: ({ id }) => id,
        pick: (error) => (wanted === undefined || wanted === error.error ? listed(error) : undefined),
      });
    },
    summary: async (caller, { clientId }, hours) => ({
      groups: await grouped(await read(caller, clientId, hours)),
      dropped: await deps.recentRequestErrors.dropped(),
    }),
    explain: (caller, requestId) =>
      explainRequestError(caller, requestId, deps.clock.now() - requestErrorHours * hourMs, deps),
  };
}

async function grouped({ fetch, listed }: RequestErrorReader): Promise<RequestErrorGroup[]> {
  const groups = new Map<string, RequestErrorGroup>();
  let before: string | undefined;
  for (let read = 0; read < summaryLimit; read += batchSize) {
    const errors = await fetch(before, batchSize);
    for (const each of errors) {
      const error = await listed(each);
      if (error !== undefined) count(error, groups);
    }
    before = errors.at(-1)?.id;
    if (errors.length < batchSize) break;
  }
  return [...groups.values()]
    .sort((a, b) => b.requests - a.requests || b.lastTime - a.lastTime)
    .slice(0, maxGroups);
}

/** Errors come newest first, so the first of a group is the last one in time. */
function count(
  { client, error, reason, time, requestId }: ListedRequestError,
  groups: Map<string, RequestErrorGroup>,
): void {
  const key = `${client.id} ${error} ${reason}`;
  const before = groups.get(key) ?? { requests: 0, lastTime: time, lastRequestId: requestId };
  const { requests, lastTime, lastRequestId } = before;
  groups.set(key, { client, error, reason, requests: requests + 1, lastTime, lastRequestId });
}
