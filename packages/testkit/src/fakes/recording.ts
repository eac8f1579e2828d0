import { hash } from 'node:crypto';
import type {
  AttemptLimiter,
  FailedLogin,
  FailedRequest,
  FailedTokenRequest,
  LoginAttempts,
  LoginTurn,
  Passwords,
  RequestErrorLog,
  SecurityLog,
} from '@watchword/protocol';

/** Records the reported errors. */
export class RecordingRequestErrors implements RequestErrorLog {
  readonly failures: FailedRequest[] = [];

  requestFailed(failure: FailedRequest): void {
    this.failures.push(failure);
  }
}

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

/** Allows every attempt until a test sets a delay, and records its calls. */
export class RecordingLimiter implements AttemptLimiter {
  /** The result of `secondsUntilAllowed`. */
  blockedFor = 0;
  /** The result of `recordFailure`. */
  waitAfterFailure = 0;
  readonly failures: [source: string, identifier: string][] = [];
  readonly questions: [source: string, identifier: string][] = [];

  secondsUntilAllowed(source: string, identifier: string): number {
    this.questions.push([source, identifier]);
    return this.blockedFor;
  }

  recordFailure(source: string, identifier: string): number {
    this.failures.push([source, identifier]);
    return this.waitAfterFailure;
  }
}

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

/** Hashes passwords at once, with a salt for each, and records which hashes were compared. */
export class RecordingPasswords implements Passwords {
  readonly compared: string[] = [];
  /** The next comparison rejects with it. */
  failure: Error | undefined;
  #made = 0;

  async hash(password: string): Promise<string> {
    this.#made += 1;
    return salted(String(this.#made), password);
  }

  async matches(password: string, stored = '$test$$'): Promise<boolean> {
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
    this.compared.push(stored);
    return salted(stored.split('$')[2] ?? '', password) === stored;
  }
}

function salted(salt: string, password: string): string {
  return `$test$${salt}$${hash('sha256', `${salt} ${password}`, 'base64')}`;
}
