import type { IncomingMessage } from 'node:http';
import { OAuthError } from '@watchword/protocol';

export type WhenRead = (error: Error | undefined, body: Buffer | undefined) => void;

/**
 * Reads a body whole, as bytes. What they mean is decided by an endpoint, after the caller was authenticated where it
 * asks that first. Without a body, `whenRead` is called at once.
 *
 * @param limit bytes that it can have
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
    whenRead(error, error === undefined ? Buffer.concat(chunks, received) : undefined);
  };
  message.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > limit) end(new OAuthError('body_too_large'));
    else chunks.push(chunk);
  });
  message.on('end', end);
  message.on('error', end);
}
