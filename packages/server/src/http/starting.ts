import type { IncomingMessage, ServerResponse } from 'node:http';
import { OAuthError } from '@watchword/protocol';
import { errorAnswer } from './error-answer.ts';
import { writeAnswer } from './write-answer.ts';

// Seconds. Most starts are shorter.
const retryAfter = 1;

/**
 * Answers every request with 503 while the server starts, and closes the connection. The port is already open, because
 * the base URL depends on it, but the modules, the database and the records of the server are not ready.
 */
export function answerStarting(_request: IncomingMessage, response: ServerResponse): void {
  const error = new OAuthError('temporarily_unavailable', {
    description: 'The server is starting.',
    retryAfter,
  });
  writeAnswer(response, errorAnswer(error), { connection: 'close' });
}
