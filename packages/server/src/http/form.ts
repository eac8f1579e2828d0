import { isUtf8 } from 'node:buffer';
import {
  OAuthError,
  type Parameters,
  parseParameters,
  parseRepeatableParameters,
  type Submission,
} from '@watchword/protocol';
import type { HttpRequest } from './request.ts';

const formType = 'application/x-www-form-urlencoded';

/**
 * The parameters of a form body (RFC 6749 §3.2). Parameters in the query are ignored.
 *
 * @throws OAuthError `unsupported_media_type`, `invalid_request`
 */
export function formParameters(request: HttpRequest): Parameters {
  return parseParameters(formText(request));
}

/**
 * The parameters of the query string.
 *
 * @param known the names that must not be repeated; when left out, those of the protocol
 * @throws OAuthError `invalid_request`
 */
export function queryParameters(request: HttpRequest, known?: ReadonlySet<string>): Parameters {
  return parseParameters(queryText(request), known);
}

/** A parameter of the query string, in any encoding, also if the rest of the query is malformed. */
export function queryValue(request: HttpRequest, name: string): string | undefined {
  return new URLSearchParams(queryText(request)).get(name) ?? undefined;
}

/** Whether the query has a parameter, in any encoding, also if the rest of the query is malformed. */
export function hasQueryParameter(request: HttpRequest, name: string): boolean {
  return queryValue(request, name) !== undefined;
}

/**
 * The parameters from a browser: the form of a POST, or else the query. A parameter can be repeated.
 *
 * @throws OAuthError `unsupported_media_type`, `invalid_request`
 */
export function browserSubmission(request: HttpRequest): Submission {
  return parseRepeatableParameters(request.method === 'POST' ? formText(request) : queryText(request));
}

function formText({ body, headers }: HttpRequest): string {
  if (body === undefined || body.length === 0) return '';
  if (!isForm(headers['content-type'])) throw new OAuthError('unsupported_media_type');
  if (!isUtf8(body)) {
    throw new OAuthError('invalid_request', {
      description: 'The body is not valid UTF-8.',
      rule: 'form_encoding',
    });
  }
  return body.toString('utf8');
}

/** The query as it was sent, without `?`. */
export function queryText({ url }: HttpRequest): string {
  const question = url.indexOf('?');
  return question === -1 ? '' : url.slice(question + 1);
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
