import { type ArgumentsHost, type ExecutionContext, HttpException, RequestMethod } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { NodeRequest } from '../bearer/node-http.ts';
import { isPreflight } from '../bearer/preflight.ts';
import { AccessError } from '../errors.ts';
import type { TokenInfo } from '../token-info.ts';

/** A request of Express, or of Fastify, whose `raw` is the one of Node.js. */
interface NestRequest extends NodeRequest {
  readonly raw?: Pick<NodeRequest, 'rawHeaders'>;
  tokenInfo?: TokenInfo | undefined;
}

/** A response of Express or a reply of Fastify. */
interface NestResponse {
  readonly headersSent?: boolean;
  readonly sent?: boolean;
  header(name: string, value: string): unknown;
  status(status: number): unknown;
  send(body: unknown): unknown;
}

export function requestOf(host: ArgumentsHost): NestRequest {
  return host.switchToHttp().getRequest();
}

/** The metadata of NestJS with the method of a route. */
const methodOfRoute = 'method';
const reflector = new Reflector();

/** Whether it is a preflight for a handler of such. One for all methods (`@All()`) would act on it, and relies on a token. */
export function isPreflightOf(context: ExecutionContext): boolean {
  const { method, headers } = requestOf(context);
  const isMeant = reflector.get(methodOfRoute, context.getHandler()) === RequestMethod.OPTIONS;
  return isMeant && isPreflight(method, (name) => headers[name]);
}

/**
 * NestJS answers its own exceptions alone as they are, without headers, and logs every other error. So the headers are set here, and an
 * `AccessError` becomes such an exception.
 */
export function exceptionFor(error: unknown, host: ArgumentsHost): unknown {
  if (!(error instanceof AccessError)) return error;
  unanswered(host, error);
  const exception = new HttpException(JSON.parse(error.body), error.status, { cause: error });
  exception.message = error.message;
  return exception;
}

export function answer(error: AccessError, host: ArgumentsHost): void {
  const response = unanswered(host, error);
  response?.status(error.status);
  response?.send(JSON.parse(error.body));
}

/** The response, with the headers of the error; `undefined` where someone has answered, for example after a time-out of the API's own. */
function unanswered(host: ArgumentsHost, { headers }: AccessError): NestResponse | undefined {
  const response = host.switchToHttp().getResponse<NestResponse>();
  if (response.headersSent || response.sent) return undefined;
  for (const [name, value] of Object.entries(headers)) response.header(name, value);
  return response;
}
