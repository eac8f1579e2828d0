import type { ExplainedError } from '@watchword/administration';
import { OAuthError, type ProtocolErrorName, protocolErrors } from '@watchword/protocol';
import type { InFlight } from '../runtime/in-flight.ts';
import type { AccessLine } from '../runtime/log/access-log.ts';
import type { Logger } from '../runtime/log/logger.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import type { RequestTrace, RequestTracing } from '../runtime/request-tracing.ts';
import type { AnswerHeaders, HttpAnswer } from './answer.ts';
import type { BrowserCookieJar } from './browser-cookies.ts';
import { type CertificateHeader, clientCertificates } from './client-certificate.ts';
import type { ReceivedRequest, RequestAnswerer } from './connections/received-request.ts';
import { corsHeaders } from './cors.ts';
import type { Endpoint, Handler } from './endpoint.ts';
import { type ErrorAnswer, errorAnswer, errorPageAnswer, toOAuthError } from './error-answer.ts';
import { failedRequests, type LogFailure } from './failed-requests.ts';
import type { ForeignHostCheck } from './foreign-host.ts';
import { errorOfAnswer, type KeptErrors } from './kept-errors.ts';
import type { LanguageChoice } from './language-choice.ts';
import { type PageAnswers, prefersPage } from './page.ts';
import type { HttpRequest } from './request.ts';
import { requestIds } from './request-ids.ts';
import { originForm } from './request-target.ts';
import { type Route, Router } from './router.ts';
import { type RequestSource, sourceAddress } from './source-address.ts';

const none = {};
// Bytes.
const usualBodyLimit = 64 * 1024;

export interface ExchangeOptions {
  readonly endpoints: readonly Endpoint[];
  readonly logger: Logger;
  readonly logRequest: (line: AccessLine) => void;
  readonly metrics: Metrics;
  /** `undefined` if no request is traced. */
  readonly tracing?: RequestTracing | undefined;
  readonly trustedProxies: readonly string[];
  /** Where a trusted proxy names the certificate of a client; `undefined` if none does. */
  readonly certificateHeader?: CertificateHeader | undefined;
  /** Of the proofs that the server takes; `undefined` if the profile allows all that it knows. */
  readonly dpopAlgorithms?: readonly string[] | undefined;
  /** `undefined` if requests for every host are answered. */
  readonly isForeignHost?: ForeignHostCheck | undefined;
  /** Called with the peer at each request whose `X-Forwarded-For` is ignored. */
  readonly onIgnoredForwarding?: (peer: string) => void;
  readonly inFlight: InFlight;
  readonly pages: PageAnswers;
  readonly cookies: Pick<BrowserCookieJar, 'forgetWaiting'>;
  /** Absent on a port without pages for users. */
  readonly languageChoice?: LanguageChoice;
  /** `undefined` on a port that has no records: nothing is kept there. */
  readonly errors?: KeptErrors | undefined;
}

interface Shared extends ExchangeOptions {
  readonly router: Router;
  readonly logFailure: LogFailure;
  readonly idOf: (request: RequestSource) => string;
  readonly sourceOf: (request: RequestSource) => string;
  readonly certificateOf: ((request: RequestSource) => string | undefined) | undefined;
}

/** Answers requests by endpoints. */
export function endpointAnswers(options: ExchangeOptions): RequestAnswerer {
  const shared = {
    ...options,
    router: new Router(options.endpoints),
    logFailure: failedRequests(options.logger),
    idOf: requestIds(options.trustedProxies),
    sourceOf: sourceAddress(options.trustedProxies, options.onIgnoredForwarding),
    certificateOf:
      options.certificateHeader && clientCertificates(options.certificateHeader, options.trustedProxies),
  };
  return (received) => new Exchange(received, shared).begin();
}

/** One request and its answer, from the head of the request to the last byte of the answer. */
class Exchange {
  readonly #received: ReceivedRequest;
  readonly #shared: Shared;
  readonly #arrived = performance.now();
  readonly #request: Writable<HttpRequest>;
  /** Absent if no endpoint has the path, or the endpoint does not have the method. */
  #route: Route | undefined;
  /** Header fields of any answer to this request. */
  #headers: AnswerHeaders | undefined;
  #sent: HttpAnswer = {};
  #trace: RequestTrace | undefined;

  constructor(received: ReceivedRequest, shared: Shared) {
    const { method, headers } = received;
    const url = originForm(received.target);
    const id = shared.idOf(received);
    // Read now, because a closed connection has no address.
    const source = shared.sourceOf(received);
    this.#received = received;
    this.#shared = shared;
    const clientCertificate = shared.certificateOf?.(received);
    this.#request = {
      id,
      method,
      url,
      headers,
      source,
      clientCertificate,
      route: '',
      parameters: none,
      body: undefined,
    };
  }

  begin(): void {
    this.#shared.inFlight.begin();
    this.#received.whenOver(() => this.#end());
    try {
      this.#receive();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @throws OAuthError */
  #receive(): void {
    const request = this.#request;
    const match = this.#shared.router.find(request.url);
    if (match?.route.isTraced !== false) {
      this.#trace = this.#shared.tracing?.begin(this.#received, request.id);
    }
    const handler = match?.route.handlers.get(request.method);
    if (match !== undefined && handler !== undefined) {
      this.#route = match.route;
      request.route = match.route.path;
      request.parameters = match.parameters;
    }
    const error = this.#received.headError(this.#route?.uriLimit);
    // Otherwise a browser with too many cookies would send them again, and get the same error until they expire. It begins a
    // login at a page.
    if (error?.kind === 'header_fields_too_large' && this.#route?.page === true) {
      this.#headers = { 'set-cookie': this.#shared.cookies.forgetWaiting(request) };
    }
    if (error !== undefined) throw error;
    if (match?.route.anyHost !== true && this.#shared.isForeignHost?.(this.#received) === true) {
      throw new OAuthError('misdirected_request');
    }
    const origins = this.#route?.origins;
    if (origins !== undefined) this.#headers = corsHeaders(origins, request.headers.origin);
    this.#received.readBody(this.#route?.bodyLimit ?? usualBodyLimit, (failure, body) => {
      request.body = body;
      const allow = match?.route.allow;
      // The events of a body belong to the connection and not to the request.
      if (this.#trace === undefined) this.#answer(failure, handler, allow);
      else this.#trace.run(() => this.#answer(failure, handler, allow));
    });
  }

  #answer(failure: unknown, handler: Handler | undefined, allow: string | undefined): void {
    const { languageChoice } = this.#shared;
    if (failure !== undefined) this.#fail(failure);
    else if (languageChoice?.isMade(this.#request) && this.#wantsPage()) this.#handle(languageChoice.take);
    else if (handler !== undefined) this.#handle(handler);
    else this.#reject(allow);
  }

  #handle(handler: Handler): void {
    try {
      const answer = handler(this.#request);
      if (!(answer instanceof Promise)) this.#send(answer);
      else answer.then(this.#send, this.#fail);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param allow the methods that the path answers; `undefined` when there is no such path */
  #reject(allow: string | undefined): void {
    if (allow !== undefined) this.#headers = { allow };
    this.#fail(new OAuthError(allow === undefined ? 'unknown_address' : 'method_not_allowed'));
  }

  readonly #send = (answer: HttpAnswer): void => {
    try {
      const error = errorOfAnswer(answer);
      if (error !== undefined) this.#shared.errors?.keep(this.#request, error);
      this.#write(answer);
    } catch (error) {
      this.#fail(error);
    }
  };

  readonly #fail = (thrown: unknown): void => {
    const { errors } = this.#shared;
    const error = toOAuthError(thrown);
    errors?.keep(this.#request, error);
    const explanation = this.#wantsPage() ? errors?.explanation(this.#request, error) : undefined;
    if (explanation === undefined) this.#writeError(thrown);
    else explanation.then((explained) => this.#writeError(thrown, explained));
  };

  #writeError(thrown: unknown, explained?: ExplainedError): void {
    const { id } = this.#request;
    const answer = this.#errorAnswer(thrown, explained);
    const { status, error } = answer;
    if (status >= 500 && !isLogged(error)) this.#shared.logFailure(thrown, id);
    this.#write(answer);
  }

  /** A browser that requests a page at an unknown address gets the error as a page. */
  #wantsPage(): boolean {
    return this.#route === undefined ? prefersPage(this.#request) : this.#route.page;
  }

  #errorAnswer(thrown: unknown, explained: ExplainedError | undefined): ErrorAnswer {
    const request = this.#request;
    const { dpopAlgorithms, pages, logger } = this.#shared;
    const facts = { authorization: request.headers.authorization, dpopAlgorithms };
    if (!this.#wantsPage()) return errorAnswer(thrown, facts);
    try {
      return errorPageAnswer(thrown, (error) => pages.ofError(request, error, explained));
    } catch (error) {
      logger.error(
        { err: error, requestId: request.id },
        'the error page could not be rendered; the error was answered as JSON',
      );
      return errorAnswer(thrown, facts);
    }
  }

  #write(answer: HttpAnswer): void {
    this.#sent = answer;
    const { isClosing } = this.#shared.inFlight;
    const more = isClosing ? { ...this.#headers, connection: 'close' } : this.#headers;
    this.#received.answer(answer, this.#request.id, more);
  }

  #end(): void {
    const { inFlight, metrics, logRequest } = this.#shared;
    inFlight.end();
    this.#endTrace();
    if (!this.#received.isAnswered) return;
    const { id: requestId, method, source: address } = this.#request;
    const milliseconds = performance.now() - this.#arrived;
    // The path of an unknown address is not logged, because it could contain a token.
    const route = this.#route?.label ?? 'none';
    const { status = 200, error = null } = this.#sent;
    const rule = error === null ? undefined : (this.#sent.rule ?? protocolErrors[error].rule);
    const known = this.#route === undefined ? 'any' : method;
    const recorded = this.#trace?.isRecorded === true ? this.#trace.ids : undefined;
    metrics.requests.observe(known, route, status, milliseconds / 1000, recorded);
    if (error !== null) metrics.requestFailed(error);
    logRequest({
      requestId,
      method,
      route,
      status,
      milliseconds,
      address,
      error,
      rule,
      isProbe: this.#route?.isProbe === true,
      trace: this.#trace?.ids,
    });
  }

  #endTrace(): void {
    const { status = 200, error } = this.#sent;
    this.#trace?.end({
      method: this.#request.method,
      route: this.#route?.label,
      status: this.#received.isAnswered ? status : undefined,
      error,
    });
  }
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** The log already has a line for a module that failed, with its name. */
function isLogged(error: ProtocolErrorName): boolean {
  return error === 'module_failed' || error === 'module_timed_out';
}
