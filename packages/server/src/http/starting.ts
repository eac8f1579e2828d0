import type { IncomingMessage, ServerResponse } from 'node:http';
import { OAuthError } from '@watchword/protocol';
import { errorReply } from './error-reply.ts';
import { everyAnswer } from './every-answer.ts';

// Seconds. Most starts take less.
const retryAfter = 1;

/**
 * Answers every request while the server starts: 503, on a connection that is then closed. The port is open, because
 * the base URL depends on it, but the modules, the database and the records of the server are not ready.
 */
export function answerStarting(_request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = errorReply(
    new OAuthError('temporarily_unavailable', { description: 'The server starts.', retryAfter }),
  );
  const content = JSON.stringify(body);
  response
    .writeHead(status, {
      ...everyAnswer,
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(content),
      connection: 'close',
    })
    .end(content);
}
