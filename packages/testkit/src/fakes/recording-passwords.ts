import { hash } from 'node:crypto';
import type { Passwords } from '@watchword/protocol';

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
