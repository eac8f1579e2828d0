import type { IncomingMessage, ServerResponse } from 'node:http';
import { OAuthError } from '@watchword/protocol';
import type { AnswerHeaders, HttpAnswer } from '../answer.ts';
import { contentOf, encodingOf, fieldsOf, hasLength } from './answer-fields.ts';
import { closeInStages } from './close-in-stages.ts';
import { headerError } from './header-limits.ts';
import type { ReceivedRequest, WhenRead } from './received-request.ts';

// Bytes. Bodies arrive before their caller is known: many large ones at once must not fill the memory.
const usualSize = 64 * 1024;
const roomForLarge = 32 * 1024 * 1024;

/** Bytes that have arrived of large bodies which are not complete. */
let ofLarge = 0;

/** The last request of a connection that was answered before it had arrived whole. */
const unread = new WeakMap<ReceivedRequest['socket'], IncomingMessage>();

/** A request that `node:http` has received: its body can still arrive. */
export class StreamedRequest implements ReceivedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: ReceivedRequest['headers'];
  readonly socket: ReceivedRequest['socket'];
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(message: IncomingMessage, response: ServerResponse) {
    this.method = message.method ?? '';
    this.target = message.url ?? '';
    this.headers = message.headers;
    this.socket = message.socket;
    this.#message = message;
    this.#response = response;
  }

  get isAnswered(): boolean {
    return this.#response.writableFinished;
  }

  headError(uriLimit?: number): OAuthError | undefined {
    return headerError(this.#message, uriLimit);
  }

  readBody(limit: number, whenRead: WhenRead): void {
    readBody(this.#message, limit, whenRead);
  }

  whenOver(listener: () => void): void {
    this.#response.on('close', listener);
  }

  /** Head and body in one write. `node:http` omits the body where there must be none. */
  answer(answer: HttpAnswer, requestId: string, more?: AnswerHeaders): void {
    const { status = 200 } = answer;
    const { content, length } = contentOf(answer);
    const fields: Record<string, string | number | readonly string[]> = fieldsOf(answer, requestId, more);
    if (hasLength(status)) fields['content-length'] = length;
    if (!this.#message.complete) this.#waitForRest();
    this.#response.writeHead(status, fields as Record<string, string | number | string[]>);
    if (typeof content === 'string') this.#response.end(content, encodingOf(content, length));
    else this.#response.end(content);
  }

  /**
   * `node:http` ends a connection by this method after the last answer, also if the rest of a request is on its way. Replaced once
   * for each connection, which can have any number of such requests.
   */
  #waitForRest(): void {
    const { socket } = this;
    const isReplaced = unread.has(socket);
    unread.set(socket, this.#message);
    if (isReplaced) return;
    const destroySoon = socket.destroySoon.bind(socket);
    socket.destroySoon = () =>
      unread.get(socket)?.complete === false ? closeInStages(socket) : destroySoon();
  }
}

/**
 * Reads a complete body, as bytes. The endpoint parses them, if needed after it has authenticated the caller. Without a
 * body, `whenRead` is called immediately.
 *
 * @param limit maximum size in bytes
 */
function readBody(message: IncomingMessage, limit: number, whenRead: WhenRead): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = message.headers;
  if (length === undefined && encoding === undefined) whenRead(undefined, undefined);
  else if (Number(length) > limit) whenRead(new OAuthError('body_too_large'), undefined);
  else receive(message, limit, whenRead);
}

function receive(message: IncomingMessage, limit: number, whenRead: WhenRead): void {
  const chunks: Buffer[] = [];
  let received = 0;
  let counted = 0;
  let isOver = false;
  const end = (error?: Error) => {
    if (isOver) return;
    isOver = true;
    ofLarge -= counted;
    // Nearly every body is one chunk, which needs no copy.
    const [first] = chunks;
    const body = chunks.length === 1 ? first : Buffer.concat(chunks, received);
    whenRead(error, error === undefined ? body : undefined);
  };
  message.on('data', (chunk: Buffer) => {
    if (isOver) return;
    received += chunk.length;
    if (received > usualSize) {
      ofLarge += received - counted;
      counted = received;
    }
    if (received > limit) end(new OAuthError('body_too_large'));
    else if (ofLarge > roomForLarge) end(new OAuthError('temporarily_unavailable', { retryAfter: 1 }));
    else chunks.push(chunk);
  });
  message.on('end', end);
  message.on('error', end);
  message.on('close', () => end(new Error('the connection ended before the body')));
}
