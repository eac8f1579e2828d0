import { createConnection, type Socket } from 'node:net';

/** As much of an answer as a flow needs. */
export interface FlowAnswer {
  readonly status: number;
  readonly location: string | undefined;
  /** `name=value` of each cookie that was set. */
  readonly cookies: readonly string[];
  readonly body: string;
}

/**
 * One keep-alive connection, one request at a time. Like http-load.ts it reads no more of an answer than it
 * needs, so that it costs less than any server it measures.
 */
export class FlowConnection {
  readonly #socket: Socket;
  #received = '';
  #waiting: { resolve(answer: FlowAnswer): void; reject(error: Error): void } | undefined;

  constructor(port: number) {
    this.#socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (chunk: string) => this.#take(chunk));
    this.#socket.on('error', (error) => this.#waiting?.reject(error));
    this.#socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')));
  }

  request(head: string, body = ''): Promise<FlowAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(head + body, 'latin1');
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk: string): void {
    this.#received += chunk;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = this.#received.slice(0, headEnd + 2);
    const length = /\r\ncontent-length: (\d+)\r/i.exec(head)?.[1];
    if (length === undefined) throw new Error(`an answer without Content-Length:\n${head}`);
    if (this.#received.length < headEnd + 4 + Number(length)) return;
    const body = this.#received.slice(headEnd + 4);
    this.#received = '';
    this.#waiting?.resolve({
      status: Number(head.slice(9, 12)),
      location: /\r\nlocation: ([^\r]*)\r/i.exec(head)?.[1],
      cookies: Array.from(head.matchAll(/\r\nset-cookie: ([^;\r]*)/gi), ([, cookie = '']) => cookie),
      body,
    });
  }
}
