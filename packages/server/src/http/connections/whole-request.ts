import type { Socket } from 'node:net';
import { OAuthError } from '@watchword/protocol';
import type { AnswerHeaders, HttpAnswer } from '../answer.ts';
import type { ReceivedRequest, WhenRead } from './received-request.ts';
import type { RequestHead } from './request-head.ts';

/** Writes the answer to a request. */
interface AnswerWriter {
  write(request: WholeRequest, answer: HttpAnswer, requestId: string, more: AnswerHeaders | undefined): void;
}

/** A request that has arrived completely. */
export class WholeRequest implements ReceivedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: ReceivedRequest['headers'];
  readonly socket: Socket;
  /** Whether an answer was given, which can still be on its way. */
  hasAnswer = false;
  isAnswered = false;
  readonly #body: Buffer | undefined;
  readonly #writer: AnswerWriter;
  #listener: (() => void) | undefined;

  constructor(head: RequestHead, body: Buffer | undefined, socket: Socket, writer: AnswerWriter) {
    this.method = head.method;
    this.target = head.target;
    this.headers = head.headers;
    this.socket = socket;
    this.#body = body;
    this.#writer = writer;
  }

  /** None: `requestHead` leaves each request to `node:http` that could have one. */
  headError(): undefined {
    return undefined;
  }

  readBody(limit: number, whenRead: WhenRead): void {
    if (this.#body !== undefined && this.#body.length > limit) {
      whenRead(new OAuthError('body_too_large'), undefined);
    } else whenRead(undefined, this.#body);
  }

  whenOver(listener: () => void): void {
    this.#listener = listener;
  }

  answer(answer: HttpAnswer, requestId: string, more?: AnswerHeaders): void {
    this.#writer.write(this, answer, requestId, more);
  }

  /** The answer is complete, or the connection has ended. */
  end(): void {
    this.#listener?.();
  }
}
