import type { HttpAnswer } from './answer.ts';
import type { Endpoint, Handler, Method } from './endpoint.ts';
import type { HttpRequest } from './request.ts';

/** The registered records in memory. */
export interface RecordsInMemory {
  /** Whether they were compared with the database a moment ago. */
  recordsAreCurrent(): boolean;
  /** Applies the changes of all nodes that were committed before the call. @throws StoreUnavailableError */
  refreshRegistry(): Promise<unknown>;
}

/**
 * How current the registered records must be when a request is handled. `current`: a change that was answered a second before
 * the request is known. `newest`: every change that was answered before the request is known.
 */
export type Currency = 'current' | 'newest';

/**
 * The endpoint, whose handlers wait until the registered records are current. They nearly always are. If the database does not
 * answer, the request fails: the records could be older than a revocation on another node.
 */
export function onRecords(endpoint: Endpoint, currency: Currency, records: RecordsInMemory): Endpoint {
  const isCurrent = currency === 'current' ? () => records.recordsAreCurrent() : () => false;
  const waiting =
    (handle: Handler) =>
    (request: HttpRequest): HttpAnswer | Promise<HttpAnswer> =>
      isCurrent() ? handle(request) : records.refreshRegistry().then(() => handle(request));
  const methods = Object.entries(endpoint.methods).map(
    ([method, handle]) => [method as Method, waiting(handle)] as const,
  );
  return { ...endpoint, methods: Object.fromEntries(methods) };
}
