import type { FailedLogin, RefusedTokenRequest, SecurityLog } from '@watchword/protocol';

/** Keeps what it was told. */
export class RecordingSecurityLog implements SecurityLog {
  readonly logins: FailedLogin[] = [];
  readonly tokens: RefusedTokenRequest[] = [];

  loginFailed(failure: FailedLogin): void {
    this.logins.push(failure);
  }

  tokenRefused(refusal: RefusedTokenRequest): void {
    this.tokens.push(refusal);
  }
}
