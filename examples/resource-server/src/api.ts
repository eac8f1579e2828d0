import cors from '@fastify/cors';
import { type Principal, requireScope, type TokenVerifier } from '@watchword/resource-server';
import { protect } from '@watchword/resource-server/fastify';
import { type FastifyInstance, fastify } from 'fastify';
import type { Notes, Owner } from './notes.ts';

export interface ApiOptions {
  /** One for the life of the process: it holds the cache. */
  readonly verifier: Pick<TokenVerifier, 'verify'>;
  readonly notes: Notes;
  /** Origin of the app whose scripts may read the answers, such as `http://127.0.0.1:8081`. */
  readonly appOrigin: string;
}

/** The API, ready to listen. */
export async function createApi({ verifier, notes, appOrigin }: ApiOptions): Promise<FastifyInstance> {
  const api = fastify({ bodyLimit: 16_384 });

  // Before `protect`, so that scripts of the app can read errors too. No credentials: a token is no cookie.
  await api.register(cors, {
    origin: [appOrigin],
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type'],
    exposedHeaders: ['www-authenticate'],
    maxAge: 600,
  });

  const needs = (scope: string) => ({ onRequest: protect(verifier, { scope, realm: 'notes' }) });

  api.get('/notes', needs('read'), async (request) => {
    const { principal } = requireScope(request.tokenInfo, 'read');
    return { owner: principal.name, notes: notes.of(ownerOf(principal)) };
  });

  api.post<{ Body: { text: string } }>(
    '/notes',
    { ...needs('write'), schema: { body: newNote } },
    async (request, reply) => {
      const { principal } = requireScope(request.tokenInfo, 'write');
      return reply.code(201).send(notes.add(ownerOf(principal), request.body.text));
    },
  );

  // Nobody gets them back, so whoever asks for it has logged in just now (RFC 9470).
  const recently = { onRequest: protect(verifier, { scope: 'write', maxAge: 300, realm: 'notes' }) };
  api.delete('/notes', recently, async (request, reply) => {
    const { principal } = requireScope(request.tokenInfo, 'write');
    notes.removeAll(ownerOf(principal));
    return reply.code(204).send();
  });

  // For machines: no client that acts for people is registered with this scope, so no person can grant it.
  api.get('/statistics', needs('statistics'), async () => notes.count());

  return api;
}

const newNote = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: { text: { type: 'string', minLength: 1, maxLength: 1000, pattern: '\\S' } },
} as const;

/** Whose notes a token speaks of. It comes from the token alone, never from the request. */
function ownerOf({ name, attributes }: Principal): Owner {
  return { authority: attributes.IDENTITY_PROVIDER ?? '', name };
}
