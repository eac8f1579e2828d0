import type { RequestError, UnattributedError } from '../../model/errors/request-error.ts';

/** Receives the errors of requests about registered clients. The log adds the id and the time. */
export interface RequestErrorLog {
  requestFailed(failure: FailedRequest): void;
}

export type FailedRequest = Omit<RequestError, 'id' | 'time'>;

/** The errors in the memory of this node. */
export interface RecentRequestErrors {
  /** The errors of the last day, newest first. @param clientRecordId only those of this client */
  list(clientRecordId: number | undefined): Promise<readonly RequestError[]>;
  /** The error of the last day with that id of the request, also one that names no client. */
  find(requestId: string): Promise<RequestError | UnattributedError | undefined>;
  /** Number of errors of authenticated clients that were not stored since the start of this node. */
  dropped(): Promise<number>;
}
