import type { Socket } from 'node:net';
import type { AnswerHeaders, HttpAnswer } from '../answer.ts';
import { contentOf, encodingOf, hasLength } from './answer-fields.ts';
import type { AnswerHeads } from './answer-heads.ts';
import { closeInStages } from './close-in-stages.ts';
import type { RequestAnswerer } from './received-request.ts';
import { HeadReader, type RequestHead } from './request-head.ts';
import { WholeRequest } from './whole-request.ts';

export interface DirectConnectionOptions {
  readonly answer: RequestAnswerer;
  readonly heads: AnswerHeads;
  /** Milliseconds within which the first request must arrive. */
  readonly requestTimeout: number;
  /** Milliseconds for which a connection stays open without a request. */
  readonly keepAliveTimeout: number;
  /** Takes a connection whose next request does not have the usual form. It is paused, and the bytes are unread. */
  handOver(socket: Socket): void;
  /** Answers a connection that has sent nothing. */
  reject(error: Error, socket: Socket): void;
}

/**
 * A connection whose requests arrive whole. They are answered without the parser and the streams of `node:http`, which takes
 * 14 us of the main thread for a small request instead of 28 (docs/performance.md).
 *
 * It reads one request after the other, each in the usual form (`request-head.ts`). With any other the connection goes to
 * `node:http` for good, with every byte of that request.
 */
export class DirectConnection {
  readonly #socket: Socket;
  readonly #options: DirectConnectionOptions;
  readonly #heads = new HeadReader();
  #current: WholeRequest | undefined;
  /** The client sent more before it had the answer to its last request. */
  #hasUnread = false;
  #hasRequest = false;
  /** The client sends nothing more, or was told to close the connection. */
  #isLast = false;
  #isHandedOver = false;

  constructor(socket: Socket, options: DirectConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.setTimeout(options.requestTimeout);
    socket.on('data', this.#receive);
    socket.on('end', this.#end);
    socket.on('timeout', this.#expire);
    socket.on('close', this.#close);
    // The event `close` follows.
    socket.on('error', ignore);
  }

  /** Ends the connection if no request is being answered. */
  endIdle(): void {
    if (this.#current === undefined && !this.#isHandedOver) this.#socket.destroy();
  }

  /**
   * @throws TypeError for a header field that HTTP cannot carry; then nothing is written
   * @throws Error for a second answer, which a client would take for that of its next request
   */
  write(request: WholeRequest, answer: HttpAnswer, requestId: string, more: AnswerHeaders | undefined): void {
    const { content, length } = contentOf(answer);
    const { text, isLast } = this.#options.heads.of(answer, more, length, requestId);
    if (request.hasAnswer) throw new Error('The request has an answer already.');
    request.hasAnswer = true;
    if (isLast) this.#isLast = true;
    const socket = this.#socket;
    if (!socket.writable) return;
    const body = request.method === 'HEAD' || !hasLength(answer.status) ? undefined : content;
    if (body === undefined) socket.write(text, 'latin1');
    else if (typeof body === 'string') socket.write(text + body, encodingOf(body, length));
    else writeBytes(socket, text, body);
    // The event `close` follows.
    if (socket.errored !== null) return;
    // The operating system takes nearly every answer at once.
    if (socket.writableLength === 0) this.#answered();
    else socket.write('', this.#answered);
  }

  readonly #receive = (chunk: Buffer): void => {
    if (this.#isLast) return;
    if (this.#current !== undefined) {
      this.#putBack(chunk);
      return;
    }
    const head = this.#heads.read(chunk);
    if (head === undefined || head.size + (head.bodyLength ?? 0) !== chunk.length) {
      this.#putBack(chunk);
      this.#handOver();
    } else this.#begin(head, head.bodyLength === undefined ? undefined : chunk.subarray(head.size));
  };

  #begin(head: RequestHead, body: Buffer | undefined): void {
    if (!this.#hasRequest) this.#keepAlive();
    this.#current = new WholeRequest(head, body, this.#socket, this);
    this.#options.answer(this.#current);
  }

  readonly #answered = (error?: Error | null): void => {
    const request = this.#current;
    if (request === undefined || error != null) return;
    this.#current = undefined;
    request.isAnswered = true;
    request.end();
    if (this.#isLast) this.#endSoon();
    else if (this.#hasUnread) this.#handOver();
  };

  #endSoon(): void {
    if (this.#hasUnread) closeInStages(this.#socket);
    else this.#socket.destroySoon();
  }

  // Once for each connection: the timer of a socket begins again with each byte. It is also how long a client can let an answer
  // wait.
  #keepAlive(): void {
    this.#hasRequest = true;
    this.#socket.setTimeout(this.#options.keepAliveTimeout);
  }

  readonly #end = (): void => {
    this.#isLast = true;
    if (this.#current === undefined) this.#socket.destroySoon();
  };

  readonly #expire = (): void => {
    // A client that does not take its answer is not waited for.
    const isStuck = this.#socket.writableLength > 0;
    if (this.#current !== undefined && !isStuck) return;
    if (this.#hasRequest) this.#socket.destroy();
    else this.#reject();
  };

  readonly #close = (): void => {
    const request = this.#current;
    this.#current = undefined;
    request?.end();
  };

  /** The first request has not arrived. */
  #reject(): void {
    this.#isLast = true;
    const error = Object.assign(new Error('no request arrived in time'), {
      code: 'ERR_HTTP_REQUEST_TIMEOUT',
    });
    this.#options.reject(error, this.#socket);
    this.#socket.destroySoon();
  }

  /** The bytes wait in the socket. While it has some, it does not tell that the client sends nothing more. */
  #putBack(bytes: Buffer): void {
    this.#socket.pause();
    this.#socket.unshift(bytes);
    this.#hasUnread = true;
  }

  #handOver(): void {
    this.#leave();
    this.#isHandedOver = true;
    this.#options.handOver(this.#socket);
  }

  #leave(): void {
    const socket = this.#socket;
    socket.setTimeout(0);
    socket.off('data', this.#receive);
    socket.off('end', this.#end);
    socket.off('timeout', this.#expire);
    socket.off('close', this.#close);
    socket.off('error', ignore);
  }
}

function writeBytes(socket: Socket, head: string, body: Uint8Array): void {
  socket.cork();
  socket.write(head, 'latin1');
  socket.write(body);
  socket.uncork();
}

function ignore(): void {}
