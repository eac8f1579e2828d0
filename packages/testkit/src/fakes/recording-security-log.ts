import type { FailedLogin, FailedTokenRequest, SecurityLog } from '@watchword/protocol';

/** Records the reported events. */
export class RecordingSecurityLog implements SecurityLog {
  readonly logins: FailedLogin[] = [];
  readonly tokens: FailedTokenRequest[] = [];

  loginFailed(failure: FailedLogin): void {
    this.logins.push(failure);
  }

  tokenRequestFailed(request: FailedTokenRequest): void {
    this.tokens.push(request);
  }
}
