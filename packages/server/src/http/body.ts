import type { IncomingMessage } from 'node:http';
import { OAuthError } from '@watchword/protocol';
import type { FastifyInstance } from 'fastify';

/**
 * Hands every body over as bytes. What they mean is decided by an endpoint, after the caller was authenticated
 * where it asks that first.
 *
 * To Fastify no method has a body: its own reader looks the type up and keeps an asynchronous context for a
 * parser, of which there is none here.
 */
export function acceptRawBodies(app: FastifyInstance, usualLimit: number): void {
  for (const method of app.supportedMethods) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  app.addHook('preHandler', (request, _reply, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const limit = request.routeOptions.config.bodyLimit ?? usualLimit;
    if (length === undefined && encoding === undefined) {
      done();
    } else if (Number(length) > limit) {
      done(new OAuthError('body_too_large'));
    } else {
      readBody(request.raw, limit, (error, body) => {
        request.body = body;
        done(error);
      });
    }
  });
}

function readBody(
  message: IncomingMessage,
  limit: number,
  whenRead: (error?: Error, body?: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  let received = 0;
  let isOver = false;
  const end = (error?: Error) => {
    if (isOver) return;
    isOver = true;
    if (error === undefined) whenRead(undefined, Buffer.concat(chunks, received));
    else whenRead(error);
  };
  message.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > limit) end(new OAuthError('body_too_large'));
    else chunks.push(chunk);
  });
  message.on('end', end);
  message.on('error', end);
}
