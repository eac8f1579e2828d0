import { createServer } from 'node:http';
import { fastify } from 'fastify';
import { type FixedAnswer, given, listen } from './script.ts';

/** Fastify alone: it finds the route, reads the form or the query, and answers fixed bytes. */
const { headers, body } = given<FixedAnswer>();

const app = fastify();
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
  done(null, Object.fromEntries(new URLSearchParams(String(text)))),
);
app.post('/oauth2/token', (_request, reply) => reply.headers(headers).send(body));
app.get('/v1/tokeninfo', (_request, reply) => reply.headers(headers).send(body));
await app.ready();

listen(createServer(), () => (request, response) => app.routing(request, response));
