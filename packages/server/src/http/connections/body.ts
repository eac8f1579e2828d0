import type { IncomingMessage } from 'node:http';
import { OAuthError } from '@watchword/protocol';
import type { WhenRead } from './received-request.ts';

/**
 * Reads a complete body, as bytes. The endpoint parses them, if needed after it has authenticated the caller. Without a
 * body, `whenRead` is called immediately.
 *
 * @param limit maximum size in bytes
 */
export function readBody(message: IncomingMessage, limit: number, whenRead: WhenRead): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = message.headers;
  if (length === undefined && encoding === undefined) whenRead(undefined, undefined);
  else if (Number(length) > limit) whenRead(new OAuthError('body_too_large'), undefined);
  else receive(message, limit, whenRead);
}

function receive(message: IncomingMessage, limit: number, whenRead: WhenRead): void {
  const chunks: Buffer[] = [];
  let received = 0;
  let isOver = false;
  const end = (error?: Error) => {
    if (isOver) return;
    isOver = true;
    // Nearly every body is one chunk, which needs no copy.
    const [first] = chunks;
    const body = chunks.length === 1 ? first : Buffer.concat(chunks, received);
    whenRead(error, error === undefined ? body : undefined);
  };
  message.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > limit) end(new OAuthError('body_too_large'));
    else chunks.push(chunk);
  });
  message.on('end', end);
  message.on('error', end);
}
