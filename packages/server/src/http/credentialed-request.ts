import type { CredentialedRequest, RequestHead } from '@watchword/protocol';
import { type HttpAnswer, nonceHeader, withHeaders } from './answer.ts';
import { formParameters } from './form.ts';
import type { HttpRequest } from './request.ts';
import { pathOf } from './request-target.ts';

/** Reads requests whose callers must authenticate. */
export interface CallerRequests {
  /** A request without its body. */
  head(request: HttpRequest): RequestHead;
  /** A request with the parameters of its form body. @throws OAuthError `unsupported_media_type`, `invalid_request` */
  form(request: HttpRequest): CredentialedRequest;
}

/** @param baseUrl the origin of all requests; a `Host` header can contain any other host */
export function callerRequests(baseUrl: string): CallerRequests {
  const { origin } = new URL(baseUrl);
  return {
    head: (request) => new Head(request, origin),
    form: (request) => new Form(request, origin),
  };
}

/** The answer, with the nonce for the next DPoP proof of the client if that needs another one (RFC 9449 §8.2). */
export function withNonce(answer: HttpAnswer, { nextNonce }: RequestHead): HttpAnswer {
  return nextNonce === undefined ? answer : withHeaders(answer, { [nonceHeader]: nextNonce });
}

class Head implements RequestHead {
  nextNonce: string | undefined;
  readonly method: string;
  readonly headers: RequestHead['headers'];
  readonly source: string;
  readonly requestId: string;
  readonly clientCertificate: string | undefined;
  readonly #target: string;
  readonly #origin: string;

  constructor({ method, headers, source, id, url, clientCertificate }: HttpRequest, origin: string) {
    this.method = method;
    this.headers = headers;
    this.source = source;
    this.requestId = id;
    this.clientCertificate = clientCertificate;
    this.#target = url;
    this.#origin = origin;
  }

  /** Made when it is read, because few requests need it. */
  get url(): string {
    return `${this.#origin}${pathOf(this.#target)}`;
  }
}

class Form extends Head implements CredentialedRequest {
  readonly parameters: CredentialedRequest['parameters'];

  constructor(request: HttpRequest, origin: string) {
    super(request, origin);
    this.parameters = formParameters(request);
  }
}
