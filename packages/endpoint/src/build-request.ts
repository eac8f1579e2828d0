import { checkOf, copyBody } from './body.ts';
import { cached } from './cached.ts';
import { copyData, isJson, overlay, own, put, same } from './data.ts';
import { EndpointError } from './endpoint-error.ts';
import { amendAccept } from './media-type.ts';
import { locate, type Place, routeOf } from './route.ts';
import { validate } from './schema.ts';
import { badOption, type Defaults, settle, takeParameters } from './settings.ts';
import { expandStyled } from './style.ts';
import { valueFrom } from './template/expand.ts';
import { operatorOf } from './template/operator.ts';
import { encodeUnreserved } from './template/percent-encode.ts';
import { expandVariable, variableOf } from './template/variable.ts';
import type { Parameters, RequestOptions, Style } from './types/options.ts';

/** Methods whose parameters are the body. QUERY is RFC 10008. */
const WITH_BODY = /^(post|patch|put|delete|query)$/;

/** Methods without content: RFC 9110 sections 9.3.1 (GET, which `fetch` refuses with a body), 9.3.2, 9.3.6 and 9.3.8. */
const WITHOUT_DATA = /^(get|head|connect|trace)$/;

const operator = operatorOf('&');

/** A parameter of the query. Names stand in code, and come again with each call. */
const queryVariable = cached((name) => variableOf(encodeUnreserved(name), operator));

/** The pair of a parameter that the URL does not name; none where it has no value. */
const toPair = (style: Style | undefined, name: string, value: unknown): string | undefined => {
  const variable = queryVariable(name);
  return style && typeof value === 'object'
    ? expandStyled(variable, value, { ...style, ...style.parameters?.[name] })
    : expandVariable(variable, value);
};

/**
 * Request options that share nothing with what is given but `request`, and bodies that are not data.
 * @param place what the route names; without it, the options have method and URL
 * @param more parameters by any name, over those among the options
 * @throws EndpointError of any code
 */
export const buildRequest = (
  defaults: Defaults,
  place: Place | undefined,
  options: Parameters | undefined,
  more: Parameters | undefined,
): RequestOptions => {
  const settings = settle(defaults.settings, options, place);
  const { strict, style, schema, request } = settings;
  const { method } = place ?? settings;
  const route = routeOf(place, settings.url);
  let { parameters } = defaults;
  let given = options;
  let { omitted } = route;
  if (more || schema || !omitted) {
    const all = takeParameters({ ...parameters }, options);
    given = validate(schema, 'parameters', overlay(all, more)) as Parameters;
    parameters = undefined;
    omitted = route.names;
  }
  const data = validate(schema, 'data', settings.data);
  const isInBody = method !== 'get' && WITH_BODY.test(method) && (data === undefined || method !== 'query');
  let query = '';
  let body: unknown;
  if (data !== undefined) {
    if (WITHOUT_DATA.test(method)) {
      throw new EndpointError('UNEXPECTED_DATA', `${method.toUpperCase()} sends no "data"`);
    }
    body = copyBody(data, checkOf(strict));
  } else if (isInBody && place && valueFrom('strict', options) !== undefined) {
    // A member of a JSON body can have this name (GitHub's branch protection), and must not vanish.
    throw badOption('"strict" in defaults', strict);
  }
  const use = (name: string, value: unknown): void => {
    if (!isInBody) {
      const pair = toPair(style, name, value);
      if (pair) query += query ? `&${pair}` : pair;
    } else if (data === undefined) {
      body ??= {};
      put(body as Record<string, unknown>, name, copyData(value, same, checkOf(strict), name));
    } else if (strict && defaults.parameters?.[name] === undefined) {
      // Defaults are for any route, so that one of them is no mistake.
      throw new EndpointError('UNUSED_PARAMETER', `"${name}" is not sent beside "data"`);
    }
  };
  // Those of the defaults first, each once
  for (const name in parameters) if (!omitted.has(name)) use(name, valueFrom(name, given, parameters));
  for (const name in given) {
    const value = own(given, name);
    if (value !== undefined && !omitted.has(name) && parameters?.[name] === undefined) use(name, value);
  }
  const url = locate(route, settings.baseUrl, query, strict, given, parameters);
  const headers = amendAccept(settings.headers, settings.mediaType, url);
  const result: RequestOptions = { method, url, headers };
  if (body !== undefined) {
    result.body = body;
    if (isJson(body)) headers['content-type'] ??= 'application/json; charset=utf-8';
  }
  if (request !== undefined) result.request = request;
  return result;
};
