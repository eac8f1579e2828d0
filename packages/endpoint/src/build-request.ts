import { bodyOf, copyBody } from './body.ts';
import { isJson } from './data.ts';
import { amendAccept } from './media-type.ts';
import { parseRoute } from './route.ts';
import type { Settings } from './settings.ts';
import { operatorOf } from './template/operator.ts';
import { encodeUnreserved } from './template/percent-encode.ts';
import type { Parameters, RequestOptions } from './types.ts';

const [, , expandPair] = operatorOf('&');

/**
 * Settings to request options that share nothing with them but `request`, and bodies that are not data.
 * @param parameters by any name: only these are used, not those among the settings
 * @throws EndpointError of any code
 */
export const buildRequest = (
  settings: Settings,
  parameters: Parameters = {},
  { method, url: template }: Pick<Settings, 'method' | 'url'> = settings,
): RequestOptions => {
  const { data, request } = settings;
  const [names, locate] = parseRoute(template as string);
  let query = '';
  let body: unknown;
  if (method === 'get' || method === 'head') {
    for (const name of Object.keys(parameters)) {
      const pair = !names.has(name) && expandPair(parameters[name], encodeUnreserved(name));
      if (pair) query += (query ? '&' : '?') + pair;
    }
  } else if (['patch', 'post', 'put', 'delete'].includes(method)) {
    body = data === undefined ? bodyOf(parameters, names) : copyBody(data);
  }
  const url = locate(settings.baseUrl, parameters, query);
  const headers = amendAccept(settings.headers, settings.mediaType, url);
  const result: RequestOptions = { method, url, headers };
  if (body !== undefined) {
    result.body = body;
    if (isJson(body)) headers['content-type'] ??= 'application/json; charset=utf-8';
  }
  if (request !== undefined) result.request = request;
  return result;
};
