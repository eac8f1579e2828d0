import { isUtf8 } from 'node:buffer';
import { OAuthError, type Parameters, parseParameters } from '@watchword/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const formType = 'application/x-www-form-urlencoded';

/**
 * Hands every body over as bytes. What they mean is decided by {@link formParameters}, after the caller was
 * authenticated where an endpoint asks that first.
 */
export function acceptRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/**
 * The parameters of a form body (RFC 6749 §3.2); those in the query are never honoured.
 *
 * @throws OAuthError `unsupported_media_type`, `invalid_request`
 */
export function formParameters(request: FastifyRequest): Parameters {
  const body = request.body as Buffer | undefined;
  if (body === undefined || body.length === 0) return parseParameters('');
  if (!isForm(request.headers['content-type'])) throw new OAuthError('unsupported_media_type');
  if (!isUtf8(body)) {
    throw new OAuthError('invalid_request', { description: 'The body is not valid UTF-8.' });
  }
  return parseParameters(body.toString('utf8'));
}

/** The parameters of the query string. @throws OAuthError `invalid_request` */
export function queryParameters(request: FastifyRequest): Parameters {
  const { url } = request;
  const question = url.indexOf('?');
  return parseParameters(question === -1 ? '' : url.slice(question + 1));
}

function isForm(contentType: string | undefined): boolean {
  if (contentType === formType) return true;
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  return (
    type === formType &&
    parameters.every(
      (parameter) => !parameter.startsWith('charset=') || /^charset="?utf-8"?$/.test(parameter),
    )
  );
}
