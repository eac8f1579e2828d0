import { createConnection, type Socket } from 'node:net';
import { asFastAsPossible, atFixedRate, type Load, type Worker } from './pace.ts';

/** What each connection asks for, and what becomes of the answers. */
export interface Requests {
  /** The bytes of the next request, whole. @param connection its number, from 0 */
  next(connection: number): Buffer;
  /** Gets the body of each answer. */
  answered?(connection: number, body: string): void;
}

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  readonly requests: Requests;
}

/**
 * Loads a server over keep-alive connections, one request at a time on each. It writes prepared bytes and
 * reads no more of an answer than it needs, so that it costs less than any server it measures.
 *
 * @throws Error for an answer whose status is not 200
 */
export function httpLoad(options: LoadOptions): Promise<Load> {
  return overConnections(options, (workers) => asFastAsPossible(workers, options.durationMs));
}

/** The same at a fixed rate; see `atFixedRate`. */
export function pacedHttpLoad(options: LoadOptions, perSecond: number, isApart: boolean): Promise<Load> {
  return overConnections(options, (workers) => atFixedRate(workers, perSecond, options.durationMs, isApart));
}

async function overConnections(
  { port, connections, requests }: LoadOptions,
  run: (workers: readonly Worker[]) => Promise<Load>,
): Promise<Load> {
  const open = Array.from({ length: connections }, () => new RequestConnection(port));
  try {
    return await run(
      open.map((connection, index) => async () => {
        const answer = await connection.ask(requests.next(index));
        if (answer.toString('latin1', 9, 12) !== '200') throw new Error(`not answered:\n${answer}`);
        requests.answered?.(index, answer.toString('utf8', answer.indexOf('\r\n\r\n') + 4));
      }),
    );
  } finally {
    for (const connection of open) connection.close();
  }
}

class RequestConnection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve(answer: Buffer): void; reject(error: Error): void } | undefined;

  constructor(port: number) {
    this.#socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#socket.on('error', (error) => this.#waiting?.reject(error));
    this.#socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')));
  }

  /** @returns the bytes of the whole answer */
  ask(request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const length = answerLength(received);
    if (length === undefined || received.length < length) {
      this.#received = received;
      return;
    }
    this.#received = Buffer.alloc(0);
    this.#waiting?.resolve(received);
  }
}

function answerLength(received: Buffer): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without Content-Length:\n${head}`);
  return headEnd + 4 + Number(length);
}
