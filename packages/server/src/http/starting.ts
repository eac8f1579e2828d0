import type { IncomingMessage, ServerResponse } from 'node:http';
import { OAuthError } from '@watchword/protocol';
import { errorAnswer } from './error-answer.ts';
import { writeAnswer } from './write-answer.ts';

// Seconds. Most starts take less.
const retryAfter = 1;

/**
 * Answers every request while the server starts: 503, on a connection that is then closed. The port is open, because
 * the base URL depends on it, but the modules, the database and the records of the server are not ready.
 */
export function answerStarting(_request: IncomingMessage, response: ServerResponse): void {
  const error = new OAuthError('temporarily_unavailable', { description: 'The server starts.', retryAfter });
  writeAnswer(response, errorAnswer(error), { connection: 'close' });
}
