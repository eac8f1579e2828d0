import { bodyOf, copyBody } from './body.ts';
import { cached } from './cached.ts';
import { each, isJson } from './data.ts';
import { amendAccept } from './media-type.ts';
import { parseRoute } from './route.ts';
import { parametersOf, type Settings } from './settings.ts';
import { operatorOf } from './template/operator.ts';
import { encodeUnreserved } from './template/percent-encode.ts';
import type { Parameters, RequestOptions } from './types.ts';

const [, , expandPair] = operatorOf('&');

/** Names stand in code, and come again with each call. */
const encodeName = cached(encodeUnreserved);

/**
 * Settings to request options that share nothing with them but `request`, and bodies that are not data.
 * @param given parameters by any name, or `areMixed` with options, which are left alone
 * @throws EndpointError of any code
 */
export const buildRequest = (
  { method, url: template, baseUrl, headers: defaults, mediaType, data, request }: Settings,
  given: Parameters = {},
  areMixed?: boolean,
): RequestOptions => {
  const [names, locate, others] = parseRoute(template as string);
  const parameters = areMixed && !others ? (parametersOf(given) ?? {}) : given;
  const omit = (areMixed && others) || names;
  let query = '';
  let body: unknown;
  if (method === 'get' || method === 'head') {
    each(parameters, (value, name) => {
      const pair = !omit.has(name) && expandPair(value, encodeName(name));
      if (pair) query += (query ? '&' : '?') + pair;
    });
  } else if (['patch', 'post', 'put', 'delete'].includes(method)) {
    body = data === undefined ? bodyOf(parameters, omit) : copyBody(data);
  }
  const url = locate(baseUrl, parameters, query);
  const headers = amendAccept(defaults, mediaType, url);
  const result: RequestOptions = { method, url, headers };
  if (body !== undefined) {
    result.body = body;
    if (isJson(body)) headers['content-type'] ??= 'application/json; charset=utf-8';
  }
  if (request !== undefined) result.request = request;
  return result;
};
