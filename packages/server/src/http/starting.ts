import { OAuthError } from '@watchword/protocol';
import type { Logger } from '../runtime/log/logger.ts';
import type { HttpAnswer } from './answer.ts';
import type { ReceivedRequest, RequestAnswerer } from './connections/received-request.ts';
import { errorAnswer } from './error-answer.ts';
import { requestIds } from './request-ids.ts';
import { originForm, pathOf } from './request-target.ts';

export const livenessPath = '/healthz';

/** The answer to a liveness probe, which restarts a process that does not answer. */
export const alive: HttpAnswer = { body: { status: 'ok' } };

// Seconds. Most starts are shorter.
const retryAfter = 1;

/**
 * Answers every request with 503 while the server starts, and closes the connection. The port is already open, because
 * the base URL depends on it, but the modules, the database and the records of the server are not ready.
 *
 * A liveness probe is answered with 200, so that a long start, such as one with migrations, is not interrupted by a restart.
 *
 * @param logger gets the id of each request that was not answered
 * @param prefix path of the base URL, `''` when it has none
 * @param trustedProxies the ids of their requests are kept
 */
export function answerStarting(
  prefix: string,
  logger: Logger,
  trustedProxies: readonly string[],
): RequestAnswerer {
  const idOf = requestIds(trustedProxies);
  const path = `${prefix}${livenessPath}`;
  return (request) => {
    const closing = { connection: 'close' };
    const requestId = idOf(request);
    if (isProbe(request, path)) return request.answer(alive, requestId, closing);
    logger.info({ requestId }, 'answered 503, because the server is starting');
    request.answer(errorAnswer(isStarting()), requestId, closing);
  };
}

function isProbe({ method, target }: ReceivedRequest, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && pathOf(originForm(target)) === path;
}

function isStarting(): OAuthError {
  return new OAuthError('temporarily_unavailable', { description: 'The server is starting.', retryAfter });
}
