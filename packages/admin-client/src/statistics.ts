import { nextCursor, type PageQuery } from './page.ts';
import type { Statistics } from './records.ts';
import { type CallOptions, listOf, type Requests } from './requests.ts';

export interface StatisticsQuery extends PageQuery {
  /** The number of past hours with issued tokens: 1 to 744, default 24. */
  readonly hours?: number | undefined;
}

/** The numbers, and a page of the clients. */
export interface StatisticsPage extends Statistics {
  /** The cursor of the next page of clients; `undefined` on the last page. */
  readonly next: string | undefined;
}

export type CountedClient = Statistics['clients'][number];
export type IssuedInHour = Statistics['issued'][number];
export type ErrorCount = Statistics['errors'][number];

export type StatisticsClient = (query?: StatisticsQuery, options?: CallOptions) => Promise<StatisticsPage>;

export function statisticsClient({ endpoint, answer }: Requests): StatisticsClient {
  return async ({ hours, limit, cursor } = {}, options) => {
    const { body, headers } = await answer<Statistics>(
      endpoint('GET /admin/resourceServer/stats', { hours, limit, cursor }),
      options,
    );
    return { ...body, clients: listOf(body.clients), next: nextCursor(headers.get('link')) };
  };
}
