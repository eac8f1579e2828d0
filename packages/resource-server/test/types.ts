import { createServer } from 'node:http';
import type { RequestHandler } from 'express';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { MiddlewareHandler } from 'hono';
import { protect as protectExpress } from '../src/express.ts';
import { protect as protectFastify } from '../src/fastify.ts';
import { protect as protectFetch } from '../src/fetch.ts';
import { protect as protectHono } from '../src/hono.ts';
import {
  createGuard,
  createTokenVerifier,
  type Guard,
  type TokenInfo,
  type TokenVerifierOptions,
} from '../src/index.ts';
import { protect as protectNode } from '../src/node.ts';
import { fakeVerifier } from '../src/testing.ts';

const connection = { tokenInfoUrl: 'https://id.example.com/v1/tokeninfo', key: 'k', secret: 's' };

// The compiler is what checks this file; nothing of it is run.
export function calls(): void {
  const verifier = createTokenVerifier();
  createTokenVerifier({ ...connection, fetch, cache: { ttl: 60_000 } });
  createTokenVerifier({
    ...connection,
    fetch: async (url, init) => new Response(url, { status: init.body?.length ?? 200 }),
  });
  // @ts-expect-error the secret is missing
  createTokenVerifier({ tokenInfoUrl: 'https://id.example.com/', key: 'k' });
  // @ts-expect-error there is no such option
  const misspelt: TokenVerifierOptions = { ...connection, cach: {} };

  // What the middleware gives is what the frameworks take.
  protectExpress(verifier, { scope: 'read' }) satisfies RequestHandler;
  protectFastify(verifier, { scope: ['read', 'write'] }) satisfies onRequestAsyncHookHandler;
  protectHono(fakeVerifier(), { role: 'admin', errors: 'throw' }) satisfies MiddlewareHandler;
  protectFetch(verifier, {}, () => new Response()) satisfies (request: Request) => Promise<Response>;
  createServer(
    protectNode(verifier, {}, (request, response) => {
      request.tokenInfo satisfies TokenInfo;
      response.writeHead(200).end(request.url);
    }),
  );
  protectFetch(verifier, {}, (request: Request, tokenInfo) => {
    tokenInfo.principal.name satisfies string;
    return new Response(request.url);
  });

  protectFetch(verifier, { optional: true }, (request: Request, tokenInfo) => {
    // @ts-expect-error nobody has no principal
    tokenInfo.principal.name satisfies string;
    return new Response(tokenInfo?.principal.name ?? request.url);
  });
  protectNode(verifier, { optional: true }, ({ tokenInfo }) => {
    // @ts-expect-error nobody has no principal
    tokenInfo.principal.name satisfies string;
  });
  createGuard(verifier, { scope: { any: ['read', 'write'] } }) satisfies Guard;
  // @ts-expect-error it may let nobody in
  createGuard(verifier, { optional: true }) satisfies Guard;

  // @ts-expect-error there is no such rule
  protectExpress(verifier, { scopes: 'read' });
  // @ts-expect-error a scope may not be undefined
  protectFastify(verifier, { scope: process.env.SCOPE });
  // @ts-expect-error a wrapper answers itself
  protectFetch(verifier, { errors: 'throw' }, () => new Response());

  verifier.verify('token').then((tokenInfo) => {
    // @ts-expect-error requests share it
    tokenInfo.scopes.push('admin');
    // @ts-expect-error requests share it
    tokenInfo.principal.adminPrincipal = true;
  });
  void misspelt;
}
