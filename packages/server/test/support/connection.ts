import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';

export interface ReadAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** A connection that stays open, and reads whole answers. Text is Latin-1: a character is a byte. */
export class Connection implements Disposable {
  readonly socket: Socket;
  readonly #chunks: AsyncIterator<Buffer>;
  #read = '';

  private constructor(socket: Socket) {
    this.socket = socket;
    this.#chunks = socket.iterator({ destroyOnReturn: false });
  }

  static async open(
    port: number,
    options: { host?: string; allowHalfOpen?: boolean } = {},
  ): Promise<Connection> {
    const socket = createConnection({ port, host: '127.0.0.1', noDelay: true, ...options });
    socket.on('error', () => {});
    await once(socket, 'connect');
    return new Connection(socket);
  }

  send(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** The next answer. @param method of its request: HEAD has no body */
  async answer(method = 'GET'): Promise<ReadAnswer> {
    const headEnd = await this.#find('\r\n\r\n');
    const head = this.#take(headEnd + 4);
    const status = Number(head.split(' ')[1]);
    const length = /^content-length: (\d+)\r$/im.exec(head)?.[1] ?? '0';
    const size = method === 'HEAD' || status === 204 || status === 304 ? 0 : Number(length);
    while (this.#read.length < size) await this.#more();
    return { status, head, body: this.#take(size) };
  }

  /** Resolves when the server has closed the connection. @returns what it sent after the answers that were read */
  async end(): Promise<string> {
    for (;;) {
      const { value, done } = await this.#chunks
        .next()
        .catch(() => ({ value: undefined, done: true }) as const);
      if (done === true) return this.#read;
      this.#read += value.toString('latin1');
    }
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  async #find(text: string): Promise<number> {
    for (;;) {
      const found = this.#read.indexOf(text);
      if (found !== -1) return found;
      await this.#more();
    }
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#chunks.next();
    assert.ok(!done, 'the connection ended before the answer');
    this.#read += value.toString('latin1');
  }

  #take(size: number): string {
    const taken = this.#read.slice(0, size);
    this.#read = this.#read.slice(size);
    return taken;
  }
}
