import { readFile } from 'node:fs/promises';
import { utf8Text } from '@watchword/protocol';
import type { LoginEvent } from '../../../store/database-events.ts';
import { type DatabaseUrl, parseUrl } from './url.ts';

/** As whom the process connects. */
export type Login = Pick<DatabaseUrl, 'user' | 'password'>;

/** The role and password of a URL. The file that the URL came from can get others while the process runs. */
export class Logins {
  readonly #url: DatabaseUrl;
  readonly #file: string | undefined;
  readonly #renewals: (() => void)[] = [];
  #current: Login;
  #report: (event: LoginEvent) => void = () => {};
  /** Problems that were reported: each attempt to connect would repeat them. */
  readonly #reported = new Set<LoginEvent>();

  /** @param file that the URL came from */
  constructor(url: DatabaseUrl, file?: string) {
    this.#url = url;
    this.#file = file;
    this.#current = loginOf(url);
  }

  get current(): Login {
    return this.#current;
  }

  watch(report: (event: LoginEvent) => void): void {
    this.#report = report;
  }

  /** @param renewed called when another login is used from now on */
  onRenewal(renewed: () => void): void {
    this.#renewals.push(renewed);
  }

  /** Another login than one that was refused; `undefined` if there is none. It never rejects. */
  async otherThan(refused: Login): Promise<Login | undefined> {
    if (this.#current !== refused) return this.#current;
    const found = await this.#read();
    return found === undefined || isSame(found, refused) ? undefined : found;
  }

  /**
   * Reads the file again, and uses its login from now on if the server accepts it.
   *
   * @param accepts rejects if the server does not
   */
  async readAgain(accepts: (login: Login) => Promise<void>): Promise<void> {
    if (this.#file === undefined) return this.#report('no-file');
    this.#reported.clear();
    const found = await this.#read();
    if (found === undefined) return;
    if (isSame(found, this.#current)) return this.#report('unchanged');
    try {
      await accepts(found);
      this.accepted(found);
    } catch {
      this.refused();
    }
  }

  /** The server has let the login in that {@link otherThan} has found. */
  accepted(login: Login): void {
    this.#reported.clear();
    if (login === this.#current) return;
    this.#current = login;
    this.#report('renewed');
    for (const renewed of this.#renewals) renewed();
  }

  /** The server lets the process in. */
  works(): void {
    this.#reported.clear();
  }

  /** The server lets it in with no login. */
  refused(): void {
    this.#reportOnce('refused');
  }

  // A file that is being written is empty or ends early. No part of it is in a message: it can be a part of the password.
  async #read(): Promise<Login | undefined> {
    if (this.#file === undefined) return undefined;
    try {
      const url = parseUrl(utf8Text(await readFile(this.#file))?.trim() ?? '');
      if (isSamePlace(url, this.#url)) return loginOf(url);
      this.#reportOnce('elsewhere');
    } catch {
      this.#reportOnce('unreadable');
    }
    return undefined;
  }

  #reportOnce(problem: LoginEvent): void {
    if (this.#reported.has(problem)) return;
    this.#reported.add(problem);
    this.#report(problem);
  }
}

function loginOf({ user, password }: DatabaseUrl): Login {
  return { user, password };
}

function isSame(a: Login, b: Login): boolean {
  return a.user === b.user && a.password === b.password;
}

function isSamePlace(a: DatabaseUrl, b: DatabaseUrl): boolean {
  return a.database === b.database && JSON.stringify(a.hosts) === JSON.stringify(b.hosts);
}
