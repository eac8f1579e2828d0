import type { RequestError } from '../../../model/errors/request-error.ts';
import type { Identity } from '../../../model/resource-owner.ts';

/** Stores errors of authenticated clients, for all nodes. */
export interface RequestErrorStore {
  /** Stores the errors in one transaction. Of each of their clients only the newest `keptPerClient` errors stay. */
  append(errors: readonly RequestError[], keptPerClient: number): Promise<void>;
  /** Newest first. */
  list(query: RequestErrorQuery): Promise<RequestError[]>;
  /** The newest error with that id of the request. @param since epoch milliseconds: only an error of this time or later */
  find(requestId: string, since: number): Promise<RequestError | undefined>;
}

export interface RequestErrorQuery {
  /** Default: of all clients. */
  readonly clientRecordId?: number | undefined;
  /** Only errors of clients of resource servers of this owner. */
  readonly owner?: Identity | undefined;
  /** Only errors before the one with this id. */
  readonly before?: string | undefined;
  /** Epoch milliseconds: only errors of this time or later. */
  readonly since: number;
  readonly limit: number;
}
