import type { Socket } from 'node:net';
import type { Logger } from '../../runtime/log/logger.ts';
import type { Metrics } from '../../runtime/metrics/metrics.ts';
import { type ErrorAnswer, errorAnswer } from '../error-answer.ts';
import { uncachedAnswer } from '../every-answer.ts';
import { newRequestIds, requestIdHeader } from '../request-ids.ts';
import { closeInStages } from './close-in-stages.ts';
import { STATUS_CODES } from './node-http.ts';

/** Rejects a connection that sends no valid HTTP, counts the error and logs it. */
export function connectionRejection(metrics: Pick<Metrics, 'requestFailed'>, logger: Logger) {
  const nextId = newRequestIds();
  return (error: Error, socket: Socket): void => {
    const requestId = nextId();
    const answer = rejectConnection(error, socket, requestId);
    if (answer === undefined) return;
    const { error: rejectedFor, rule } = answer;
    metrics.requestFailed(rejectedFor);
    logger.info(
      { error: rejectedFor, rule, address: socket.remoteAddress, requestId },
      'rejected a connection',
    );
  };
}

/**
 * Answers a connection without valid HTTP with an error of the usual form, and closes the connection.
 *
 * @returns the answer; `undefined` if the client has closed the connection
 */
function rejectConnection(error: Error, socket: Socket, requestId: string): ErrorAnswer | undefined {
  if (!socket.writable || ('code' in error && error.code === 'ECONNRESET')) {
    socket.destroy();
    return undefined;
  }
  const answer = errorAnswer(error);
  const { status, body } = answer;
  const content = JSON.stringify(body);
  const headers = {
    ...uncachedAnswer,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(content),
    connection: 'close',
    [requestIdHeader]: requestId,
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', content].join('\r\n'));
  closeInStages(socket);
  return answer;
}
