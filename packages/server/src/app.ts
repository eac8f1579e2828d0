import type { ProtocolErrorName } from '@watchword/protocol';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { acceptRawBodies } from './http/body.ts';
import type { BrowserCookieJar } from './http/browser-cookies.ts';
import { type Endpoint, registerEndpoints } from './http/endpoint.ts';
import { type ErrorReply, errorPageReply, errorReply } from './http/error-reply.ts';
import { everyAnswer } from './http/every-answer.ts';
import { headerFault } from './http/header-limits.ts';
import { type PageAnswers, wantsPage } from './http/page.ts';
import { requestIds } from './http/request-ids.ts';
import type { AccessLine } from './runtime/access-log.ts';
import type { InFlight } from './runtime/in-flight.ts';
import type { Logger } from './runtime/logger.ts';
import type { Metrics } from './runtime/metrics.ts';

const bodyLimit = 64 * 1024;

export interface AppOptions {
  readonly endpoints: readonly Endpoint[];
  readonly logger: Logger;
  readonly logRequest: (line: AccessLine) => void;
  readonly metrics: Metrics;
  readonly trustedProxies: readonly string[];
  readonly inFlight: InFlight;
  readonly pages: PageAnswers;
  readonly cookies: Pick<BrowserCookieJar, 'forgetWaiting'>;
}

declare module 'fastify' {
  interface FastifyReply {
    /** The stable name of the error that was answered, for the log and the metrics. */
    refusal: string | null;
  }
}

/** Builds the HTTP application; it never listens. */
export function buildApp(options: AppOptions): FastifyInstance {
  const { logger, logRequest, metrics, inFlight, pages, cookies } = options;
  const app = Fastify({
    // Lines are written by the hook below: one for each request, without its query.
    logger: false,
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    genReqId: requestIds(),
    // A request that arrives on a living connection while the process shuts down is still answered.
    return503OnClosing: false,
    // Parsed strictly where an endpoint takes parameters from it.
    routerOptions: { querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) => {
      reply.headers(everyAnswer);
      answerError(error, request, reply);
    },
  });

  function replyTo(error: unknown, request: FastifyRequest): ErrorReply {
    if (!wantsPage(request)) return errorReply(error);
    try {
      return errorPageReply(error, (refusal) => pages.ofError(request, refusal));
    } catch (fault) {
      logger.error({ err: fault, requestId: request.id }, 'the page of an error could not be made');
      return errorReply(error);
    }
  }

  function answerError(error: unknown, request: FastifyRequest, reply: Reply): void {
    const { kind, status, headers, body } = replyTo(error, request);
    reply.refusal = kind;
    if (status >= 500 && !isLogged(kind))
      logger.error({ err: error, requestId: request.id }, 'a request failed');
    if (status >= 500 || typeof body === 'string') reply.header('x-request-id', request.id);
    reply.code(status).headers(headers).send(body);
  }

  function recordAnswer(request: FastifyRequest, reply: Reply, address: string, milliseconds: number): void {
    const { method, id: requestId, routeOptions } = request;
    // Never the path of an address that does not exist: a token could have been pasted into it.
    const route = routeOptions.url ?? 'none';
    const { statusCode: status, refusal } = reply;
    metrics.requestAnswered(
      routeOptions.url === undefined ? 'any' : method,
      route,
      status,
      milliseconds / 1000,
    );
    if (refusal !== null) metrics.refused(refusal);
    logRequest({ requestId, method, route, status, milliseconds, address, refusal });
  }

  app.decorateReply('refusal', null);
  app.addHook('onRequest', (request, reply, done) => {
    const arrived = performance.now();
    // Asked for now: a connection that is closed has no address.
    const { ip } = request;
    inFlight.begin(reply, () => {
      if (reply.raw.writableFinished) recordAnswer(request, reply, ip, performance.now() - arrived);
    });
    reply.headers(everyAnswer);
    const fault = headerFault(request);
    // Else a browser whose cookies are too many would send them again, and be refused until they expire.
    if (fault?.kind === 'header_fields_too_large') cookies.forgetWaiting(request, reply);
    done(fault);
  });
  acceptRawBodies(app, bodyLimit);
  app.setErrorHandler(answerError);
  registerEndpoints(app, options.endpoints);
  return app;
}

/** What a module did wrong has its line in the log already, with the name of the module. */
function isLogged(kind: ProtocolErrorName): boolean {
  return kind === 'module_failed' || kind === 'module_timed_out';
}

type Reply = Parameters<Parameters<FastifyInstance['setErrorHandler']>[0]>[2];
