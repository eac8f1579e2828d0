import { sql } from 'kysely';
import type { Announce } from '../../work/configuration-change.ts';
import { Backoff } from './connection/backoff.ts';
import type { PostgresqlConnection } from './connection/connection.ts';
import type { Hosts } from './connection/hosts.ts';

const channel = 'watchword_configuration';
// Milliseconds. A connection that was cut without a word is found by a query.
const probeInterval = 30_000;

/** Sent when the transaction commits, and only then. */
export const announceChange: Announce = (transaction) =>
  sql`select pg_notify(${channel}, '')`.execute(transaction);

type ListeningHosts = Pick<Hosts, 'connect' | 'onOutdated'>;

/**
 * Hears of changes of registered records on a connection of its own, which must not lead through a pooler of transactions. While
 * there is no such connection, nodes poll only.
 */
export class ChangeListener {
  readonly #hosts: ListeningHosts;
  readonly #backoff = new Backoff(0, () => void this.#reopen());
  readonly #probing: NodeJS.Timeout;
  #heard: () => void = () => {};
  #connection: PostgresqlConnection | undefined;
  #isStopped = false;

  private constructor(hosts: ListeningHosts) {
    this.#hosts = hosts;
    // It is opened again then.
    hosts.onOutdated(() => void this.#connection?.close());
    this.#probing = setInterval(() => void this.#probe(), probeInterval).unref();
  }

  /** Listens from now on. @throws NoHostError, PostgresqlError */
  static async open(hosts: ListeningHosts): Promise<ChangeListener> {
    const listener = new ChangeListener(hosts);
    try {
      await listener.#open();
      return listener;
    } catch (error) {
      await listener.stop();
      throw error;
    }
  }

  /** @param heard called after a change, and after a time in which a change can have been missed */
  hear(heard: () => void): void {
    this.#heard = heard;
  }

  /** The name of the database in which it listens. */
  async database(): Promise<string> {
    const query = { text: 'select current_database()', values: [] };
    const [answer] = (await this.#connection?.pipeline([query])) ?? [];
    return String(answer?.rows[0]?.[0]);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#probing);
    this.#backoff.stop();
    await this.#connection?.close();
  }

  async #open(): Promise<void> {
    const connection = await this.#hosts.connect();
    try {
      await connection.listen(
        channel,
        () => this.#heard(),
        (error) => this.#lost(error),
      );
    } catch (error) {
      await connection.close();
      throw error;
    }
    this.#connection = connection;
    if (this.#isStopped) await connection.close();
  }

  async #reopen(): Promise<void> {
    try {
      await this.#open();
      this.#backoff.succeeded();
      this.#heard();
    } catch (error) {
      this.#lost(error);
    }
  }

  #lost(error: unknown): void {
    this.#connection = undefined;
    if (!this.#isStopped) this.#backoff.failed(error);
  }

  /** If there is no answer, the connection ends, and is opened again. */
  async #probe(): Promise<void> {
    await this.#connection?.pipeline([{ text: 'select 1', values: [] }]).catch(() => {});
  }
}
