import { AsyncResource } from 'node:async_hooks';
import { once } from 'node:events';
import type { Server as HttpServer, IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { AnswerHeads } from './answer-heads.ts';
import { DirectConnection, type DirectConnectionOptions } from './direct-connection.ts';
import { maxHeadBytes } from './header-limits.ts';
import { Server as NewHttpServer } from './node-http.ts';
import type { RequestAnswerer } from './received-request.ts';
import { StreamedRequest } from './streamed-request.ts';

export interface PortServerOptions {
  /** Seconds within which a complete request must arrive. */
  readonly requestTimeout: number;
  /** Whether requests of the usual form are read without `node:http`. */
  readonly ownReader: boolean;
  /** Answers a connection that sends no valid HTTP. */
  reject(error: Error, socket: Socket): void;
}

const connectionsCheckingInterval = 1000;
// Longer than proxies keep idle connections. Otherwise a proxy could use a connection that has just ended.
export const keepAliveTimeout = 72_000;
// As `node:http` does: a request that is on its way when the time of the client is over still gets an answer.
const keepAliveTolerance = 1000;
// Requests of a connection. Hardly any client sends the next one before it has the answer.
const mostWaiting = 100;

/**
 * Answers the connections of one address. Each begins as a {@link DirectConnection}, and `node:http` answers those that send
 * requests of another form, or all.
 *
 * It can close its port and leave idle connections open. `node:http` would end them, and a request in transit would be reset.
 */
export class PortServer {
  readonly #acceptor: Server;
  readonly #http: HttpServer;
  readonly #ownReader: boolean;
  readonly #directOptions: DirectConnectionOptions;
  readonly #connections = new Map<Socket, DirectConnection | undefined>();
  #onEmpty = () => {};

  constructor(options: PortServerOptions, answer: RequestAnswerer) {
    this.#acceptor = createServer(acceptedConnections, (socket) => this.receive(socket));
    this.#http = newHttpServer(options, answer);
    this.#ownReader = options.ownReader;
    this.#directOptions = {
      answer,
      heads: new AnswerHeads(keepAliveTimeout / 1000),
      requestTimeout: options.requestTimeout * 1000,
      keepAliveTimeout: keepAliveTimeout + keepAliveTolerance,
      // Otherwise all that the connection does would belong to the trace of the request that was answered last.
      handOver: AsyncResource.bind((socket) => {
        this.#http.emit('connection', socket);
        socket.resume();
      }),
      reject: options.reject,
    };
  }

  /** @returns the open port. @throws the error of `node:net` */
  async listen(host: string, port: number): Promise<number> {
    this.#acceptor.listen({ host, port });
    await once(this.#acceptor, 'listening');
    return (this.#acceptor.address() as AddressInfo).port;
  }

  /** Answers a connection, which another process can have accepted. */
  receive(socket: Socket): void {
    // A client can end its side when it has sent its request.
    socket.allowHalfOpen = true;
    const direct = this.#ownReader ? new DirectConnection(socket, this.#directOptions) : undefined;
    this.#connections.set(socket, direct);
    if (direct === undefined) this.#http.emit('connection', socket);
    socket.once('close', () => {
      this.#connections.delete(socket);
      if (this.#connections.size === 0) this.#onEmpty();
    });
  }

  /** Closes the port. Resolves when no connection is left. */
  async linger(): Promise<void> {
    this.#acceptor.close();
    if (this.#connections.size > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve));
  }

  /** Ends the connections that are still idle. */
  endLinger(): void {
    this.#http.close();
    for (const [socket, direct] of this.#connections) {
      direct?.endIdle();
      // The client has its answer, and is waited for no longer.
      if (socket.writableFinished) socket.destroy();
    }
  }
}

/** As `node:http` accepts them. */
export const acceptedConnections = { allowHalfOpen: true, noDelay: true } as const;

function newHttpServer({ requestTimeout, reject }: PortServerOptions, answer: RequestAnswerer): HttpServer {
  const turns = new Turns(answer);
  const receive = (message: IncomingMessage, response: ServerResponse) => turns.receive(message, response);
  const server = new NewHttpServer(httpOptions(requestTimeout * 1000), receive);
  server.on('clientError', reject);
  // Otherwise `node:http` itself answers an unknown expectation, without an id and a line of the log. It can be ignored
  // (RFC 9110 §10.1.1).
  server.on('checkExpectation', receive);
  // A client that does not take its answer is not waited for.
  server.timeout = keepAliveTimeout + keepAliveTolerance;
  server.on('timeout', (socket) => {
    if (!turns.isAnswering(socket) || socket.writableLength > 0) socket.destroy();
  });
  // `node:http` begins with this event to check the time limits of requests. This server never opens a port.
  server.emit('listening');
  return server;
}

/**
 * Answers the requests of a connection one after the other. `node:http` delivers all that have arrived, and keeps their answers in memory
 * until it is their turn: hundreds of megabytes for 80 kB of requests.
 */
class Turns {
  readonly #answer: RequestAnswerer;
  /** Of each connection with a request that is being answered, the others. */
  readonly #waiting = new WeakMap<Socket, (() => void)[]>();

  constructor(answer: RequestAnswerer) {
    this.#answer = answer;
  }

  receive(message: IncomingMessage, response: ServerResponse): void {
    const { socket } = message;
    const begin = () => {
      this.#answer(new StreamedRequest(message, response));
      response.on('close', () => this.#next(socket));
    };
    const waiting = this.#waiting.get(socket);
    if (waiting === undefined) {
      this.#waiting.set(socket, []);
      begin();
    } else if (waiting.length < mostWaiting) {
      // Otherwise it would belong to the trace of the request before.
      waiting.push(AsyncResource.bind(begin));
    } else socket.destroy();
  }

  isAnswering(socket: Socket): boolean {
    return this.#waiting.has(socket);
  }

  /** After an answer that closes the connection there is none. */
  #next(socket: Socket): void {
    const next = socket.writable ? this.#waiting.get(socket)?.shift() : undefined;
    if (next === undefined) this.#waiting.delete(socket);
    else next();
  }
}

/** @param timeout milliseconds within which a complete request must arrive */
function httpOptions(timeout: number): ServerOptions {
  return {
    maxHeaderSize: maxHeadBytes,
    headersTimeout: timeout,
    requestTimeout: timeout,
    keepAliveTimeout,
    connectionsCheckingInterval,
    // `headerError` checks the Host header, so that the error has the usual form.
    requireHostHeader: false,
    // A request without a body gets no stream that must end: 0.14 us for each.
    optimizeEmptyRequests: true,
  };
}
