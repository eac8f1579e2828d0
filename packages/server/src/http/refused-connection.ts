import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ProtocolErrorName } from '@watchword/protocol';
import { errorReply } from './error-reply.ts';
import { everyAnswer } from './every-answer.ts';

/**
 * Answers what is not even an HTTP request in the same form as everything else, and closes the connection.
 * Returns what it was refused for; `undefined` when nobody is there to be answered.
 */
export function refuseConnection(error: Error, socket: Socket): ProtocolErrorName | undefined {
  if (!socket.writable || ('code' in error && error.code === 'ECONNRESET')) {
    socket.destroy();
    return undefined;
  }
  const { kind, status, body } = errorReply(error);
  const content = JSON.stringify(body);
  const headers = {
    ...everyAnswer,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(content),
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', content].join('\r\n'));
  return kind;
}
