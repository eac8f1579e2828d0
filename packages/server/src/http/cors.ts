import type { FastifyReply, FastifyRequest } from 'fastify';

/** Which origins may read an answer: those that it says yes to, or all. */
export type OriginCheck = ((origin: string) => boolean) | 'every';

// Seconds for which a browser may remember a preflight.
const maxAge = '600';

/** Lets scripts of an origin read the answer, without credentials (Fetch standard, CORS protocol). */
export function allowOrigin(isAllowed: OriginCheck) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const { origin } = request.headers;
    if (isAllowed === 'every') {
      // The same for all origins, so that shared caches can keep the answer.
      reply.header('access-control-allow-origin', '*');
    } else if (origin !== undefined) {
      reply.header('vary', 'Origin');
      if (isAllowed(origin)) reply.header('access-control-allow-origin', origin);
    }
    done();
  };
}

/** Answers `OPTIONS`: what a script of an allowed origin may send. */
export function answerPreflight(methods: readonly string[]) {
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (reply.hasHeader('access-control-allow-origin')) {
      reply.headers({
        'access-control-allow-methods': methods.join(', '),
        'access-control-allow-headers': 'authorization, content-type',
        'access-control-max-age': maxAge,
      });
    }
    reply.code(204).send();
  };
}
