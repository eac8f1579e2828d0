import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { OAuthError } from '@watchword/protocol';
import type { AnswerHeaders, HttpAnswer } from '../answer.ts';

/** `body` is `undefined` if the request has none, or if there is an error. */
export type WhenRead = (error: Error | undefined, body: Buffer | undefined) => void;

/** A request as a connection delivers it, with the way back to its client. */
export interface ReceivedRequest {
  readonly method: string;
  /** The request target as the client sent it. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;
  /** The error of the head, if any. @param uriLimit maximum length of the target in characters; absent: the usual one */
  headError(uriLimit?: number): OAuthError | undefined;
  /**
   * Reads a complete body, as bytes. The endpoint parses them, if needed after it has authenticated the caller. If the
   * whole body is there, `whenRead` is called immediately.
   *
   * @param limit maximum size in bytes
   */
  readBody(limit: number, whenRead: WhenRead): void;
  /**
   * Turns an answer into bytes. For HEAD, and for a status that has no body, the body is omitted.
   *
   * @param requestId goes into the header field `x-request-id`
   * @param more header fields in addition to those of the answer
   * @throws TypeError for a header field that HTTP cannot carry; then nothing is written
   * @throws Error if the request has an answer already
   */
  answer(answer: HttpAnswer, requestId: string, more?: AnswerHeaders): void;
  /** Calls back once, when the answer is complete or the connection has ended. */
  whenOver(listener: () => void): void;
  /** Whether the operating system has taken every byte of the answer. */
  readonly isAnswered: boolean;
}

/** Answers each request that a port receives. */
export type RequestAnswerer = (request: ReceivedRequest) => void;
