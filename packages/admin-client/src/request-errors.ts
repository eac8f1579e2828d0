import type { Page, PageQuery } from './page.ts';
import type { RequestError, RequestErrorExplanation, RequestErrorSummary } from './records.ts';
import type { CallOptions, Requests } from './requests.ts';

export interface RequestErrorQuery extends PageQuery {
  readonly clientId?: string | undefined;
  /** Error code of the answer. */
  readonly error?: string | undefined;
}

export interface RequestErrorSummaryQuery {
  readonly clientId?: string | undefined;
  /** The number of past hours: 1 to 24, default 24. */
  readonly hours?: number | undefined;
}

/** Why requests of clients were refused in the last day. */
export interface RequestErrorsClient {
  /** Newest first. */
  list(query?: RequestErrorQuery, options?: CallOptions): Promise<Page<RequestError>>;
  /** By client and reason, the most frequent first. */
  summary(query?: RequestErrorSummaryQuery, options?: CallOptions): Promise<RequestErrorSummary>;
  /** Why one request was refused, and what mends it. @param requestId of the header `x-request-id` of its answer */
  explain(requestId: string, options?: CallOptions): Promise<RequestErrorExplanation>;
}

export function requestErrorsClient({ endpoint, json, page }: Requests): RequestErrorsClient {
  return {
    list: async ({ clientId, error, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/requestError', { clientId, error, limit, cursor }), options),
    summary: async ({ clientId, hours } = {}, options) =>
      json(endpoint('GET /admin/requestError/summary', { clientId, hours }), options),
    explain: async (requestId, options) =>
      json(endpoint('GET /admin/requestError/{requestId}', { requestId }), options),
  };
}
