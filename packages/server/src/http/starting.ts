import type { IncomingMessage, RequestListener } from 'node:http';
import { OAuthError } from '@watchword/protocol';
import { errorAnswer } from './error-answer.ts';
import { alive, livenessPath } from './health.ts';
import { originForm, pathOf } from './request-target.ts';
import { writeAnswer } from './write-answer.ts';

// Seconds. Most starts are shorter.
const retryAfter = 1;

/**
 * Answers every request with 503 while the server starts, and closes the connection. The port is already open, because
 * the base URL depends on it, but the modules, the database and the records of the server are not ready.
 *
 * A liveness probe is answered with 200, so that a long start, such as one with migrations, is not interrupted by a restart.
 *
 * @param prefix path of the base URL, `''` when it has none
 */
export function answerStarting(prefix: string): RequestListener {
  const path = `${prefix}${livenessPath}`;
  return (request, response) => {
    const answer = isProbe(request, path) ? alive : errorAnswer(isStarting());
    writeAnswer(response, answer, { connection: 'close' });
  };
}

function isProbe({ method, url = '' }: IncomingMessage, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && pathOf(originForm(url)) === path;
}

function isStarting(): OAuthError {
  return new OAuthError('temporarily_unavailable', { description: 'The server is starting.', retryAfter });
}
