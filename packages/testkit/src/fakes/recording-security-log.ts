import type { FailedLogin, RefusedTokenRequest, SecurityLog } from '@watchword/protocol';

/** Records the reported events. */
export class RecordingSecurityLog implements SecurityLog {
  readonly logins: FailedLogin[] = [];
  readonly tokens: RefusedTokenRequest[] = [];

  loginFailed(failure: FailedLogin): void {
    this.logins.push(failure);
  }

  tokenRefused(request: RefusedTokenRequest): void {
    this.tokens.push(request);
  }
}
