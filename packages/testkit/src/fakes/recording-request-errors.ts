import type { FailedRequest, RequestErrorLog } from '@watchword/protocol';

/** Records the reported errors. */
export class RecordingRequestErrors implements RequestErrorLog {
  readonly failures: FailedRequest[] = [];

  requestFailed(failure: FailedRequest): void {
    this.failures.push(failure);
  }
}
