import { nextCursor, type PageQuery } from './page.ts';
import { type CallOptions, listOf, type Requests } from './requests.ts';

export interface StatisticsQuery extends PageQuery {
  /** For how many hours back the issued tokens are told: 1 to 744, default 24. */
  readonly hours?: number | undefined;
}

/** Numbers of what is the caller's, to administrators of everything. */
export interface Statistics {
  /** A page of the clients, by id. */
  readonly clients: readonly CountedClient[];
  /** Counting of tokens and resource owners stops at so many. */
  readonly countLimit: number;
  /** An hour without any is left out. */
  readonly issued: readonly IssuedInHour[];
  /** What this node refused since it was started; to administrators alone. */
  readonly refusals: readonly RefusalCount[];
  /** Names the next page of clients; `undefined` when this is the last one. */
  readonly next: string | undefined;
}

export interface CountedClient {
  readonly id: number;
  readonly clientId: string;
  readonly clientName: string;
  readonly resourceserver_id: number;
  /** Access tokens that count now. */
  readonly tokens: number;
  /** Persons with a grant that counts now. */
  readonly resourceOwners: number;
}

export interface IssuedInHour {
  /** When the hour began, in epoch milliseconds. */
  readonly time: number;
  /** As in token requests; `implicit`, or `administration` for tokens issued by hand. */
  readonly grantType: string;
  readonly tokens: number;
}

export interface RefusalCount {
  /** Name of the error. */
  readonly reason: string;
  readonly requests: number;
}

export type StatisticsClient = (query?: StatisticsQuery, options?: CallOptions) => Promise<Statistics>;

export function statisticsClient({ endpoint, answer }: Requests): StatisticsClient {
  return async ({ hours, limit, cursor } = {}, options) => {
    const { body, headers } = await answer<Omit<Statistics, 'next'>>(
      endpoint('GET /admin/resourceServer/stats', { hours, limit, cursor }),
      options,
    );
    return { ...body, clients: listOf(body.clients), next: nextCursor(headers.get('link')) };
  };
}
