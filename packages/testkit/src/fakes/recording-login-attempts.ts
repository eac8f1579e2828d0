import type { LoginAttempts, LoginTurn } from '@watchword/protocol';

/** Records attempts, and permits all of them unless `wait` is set. */
export class RecordingLoginAttempts implements Omit<LoginAttempts, 'remember'> {
  /** Milliseconds. */
  wait = 0;
  readonly calls: (readonly [call: 'begin' | 'succeed' | 'withdraw', account: string, source: string])[] = [];

  async begin(account: string, source: string): Promise<number> {
    if (this.wait === 0) this.calls.push(['begin', account, source]);
    return this.wait;
  }

  async succeed(account: string, source: string): Promise<void> {
    this.calls.push(['succeed', account, source]);
  }

  async withdraw(account: string, source: string): Promise<void> {
    this.calls.push(['withdraw', account, source]);
  }

  turn(_account: string, source: string): LoginTurn {
    return { of: source, isKnownDevice: false };
  }
}
