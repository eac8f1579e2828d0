import { checkOf, copyBody } from './body.ts';
import { cached } from './cached.ts';
import { copyData, isJson, isOwn, overlay, put, same } from './data.ts';
import { EndpointError } from './endpoint-error.ts';
import { amendAccept } from './media-type.ts';
import { locate, type Place, type Route, routeOf } from './route.ts';
import { validateData, validateParameters } from './schema.ts';
import { badOption, type Defaults, NO_DEFAULTS, type Settings, settle, takeParameters } from './settings.ts';
import { checkStrictly } from './strict.ts';
import { expandStyled } from './style.ts';
import type { Values } from './template/expand.ts';
import { operatorOf } from './template/operator.ts';
import { encodeUnreserved } from './template/percent-encode.ts';
import { expandVariable, variableOf } from './template/variable.ts';
import type { Parameters, RequestOptions } from './types.ts';

/** Methods whose parameters are the body. QUERY is RFC 10008. */
const WITH_BODY: ReadonlySet<string> = new Set(['post', 'patch', 'put', 'delete', 'query']);

/** Methods without content: RFC 9110 sections 9.3.1 (GET, which `fetch` refuses with a body), 9.3.2, 9.3.6 and 9.3.8. */
const WITHOUT_DATA: ReadonlySet<string> = new Set(['get', 'head', 'connect', 'trace']);

const operator = operatorOf('&');

/** A parameter of the query. Names stand in code, and come again with each call. */
const queryVariable = cached((name) => variableOf(encodeUnreserved(name), operator));

/** What a call is made of, and where it puts what the URL does not name. */
class Call implements Values {
  areWords = true;
  query = '';
  body: Record<string, unknown> | undefined;
  readonly method: string;
  readonly route: Route;
  readonly settings: Settings;
  readonly need: 1 | 2;
  readonly defaults: Defaults;
  readonly given: Parameters | undefined;
  /** Names that are neither query nor body. */
  readonly omitted: ReadonlySet<string>;

  /**
   * @param place what the route names; without it, the options have method and URL
   * @param more parameters by any name, over those among the options
   */
  constructor(
    defaults: Defaults,
    place: Place | undefined,
    options: Parameters | undefined,
    more: Parameters | undefined,
  ) {
    const settings = settle(defaults.settings, options, place !== undefined);
    const { schema } = settings;
    const route = routeOf(place, settings.url);
    this.method = (place ?? settings).method;
    this.route = route;
    this.settings = settings;
    this.need = settings.strict ? 2 : 1;
    this.defaults = schema ? NO_DEFAULTS : defaults;
    this.given = options;
    this.omitted = route.omitted;
    if (more || route.hasOptionName || schema) {
      const all = schema ? { ...defaults.parameters } : {};
      this.given = validateParameters(schema, overlay(takeParameters(all, options), more)) as Parameters;
      this.omitted = route.names;
    }
  }

  get(name: string): unknown {
    const { given } = this;
    const value = given && isOwn.call(given, name) ? given[name] : undefined;
    return value === undefined ? this.defaults.parameters?.[name] : value;
  }
}

/** What to do with a parameter that the URL does not name. */
type Use = (call: Call, name: string, value: unknown) => void;

const toQuery: Use = (call, name, value) => {
  const variable = queryVariable(name);
  const { style } = call.settings;
  const pair =
    style && typeof value === 'object'
      ? expandStyled(variable, value, { ...style, ...style.parameters?.[name] })
      : expandVariable(variable, value);
  if (pair !== undefined) call.query += call.query === '' ? pair : `&${pair}`;
};

const toBody: Use = (call, name, value) => {
  call.body ??= {};
  put(call.body, name, copyData(value, same, checkOf(call.settings.strict), name));
};

/** Not sent beside `data`. Defaults are for any route, so that one of them is no mistake. */
const toNothing: Use = ({ defaults }, name) => {
  if (defaults.parameters?.[name] === undefined) {
    throw new EndpointError(
      'UNUSED_PARAMETER',
      `"${name}" is neither in the URL nor in the body, which is "data"`,
    );
  }
};

/** The parameters that the URL does not name: those of the defaults first, each once. */
const eachLeftOver = (call: Call, use: Use): void => {
  const { given, omitted } = call;
  const { names, parameters } = call.defaults;
  for (const name of names) if (!omitted.has(name)) use(call, name, call.get(name));
  for (const name in given) {
    const value = isOwn.call(given, name) ? given[name] : undefined;
    if (value !== undefined && !omitted.has(name) && parameters?.[name] === undefined) use(call, name, value);
  }
};

/** The full URL alone. */
const urlOf = (call: Call): string => {
  const { method } = call;
  const { baseUrl, data, strict } = call.settings;
  const isInBody = method !== 'get' && WITH_BODY.has(method) && (data === undefined || method !== 'query');
  if (!isInBody) eachLeftOver(call, toQuery);
  else if (strict && data !== undefined) eachLeftOver(call, toNothing);
  return locate(call.route, baseUrl, call, call.query, strict ? checkStrictly : undefined);
};

/** What a call does, from its defaults, route, options and further parameters. */
export type Finish<Result> = (
  defaults: Defaults,
  place: Place | undefined,
  given: Parameters | undefined,
  more?: Parameters,
) => Result;

/**
 * The URL that `buildRequest` gives.
 * @throws EndpointError of any code
 */
export const buildUrl: Finish<string> = (defaults, place, given, more) =>
  urlOf(new Call(defaults, place, given, more));

/**
 * Request options that share nothing with what is given but `request`, and bodies that are not data.
 * @throws EndpointError of any code
 */
export const buildRequest: Finish<RequestOptions> = (defaults, place, given, more) => {
  const call = new Call(defaults, place, given, more);
  const { method, settings } = call;
  const { request, schema } = settings;
  const data = schema ? validateData(schema, settings.data) : settings.data;
  let body: unknown;
  if (data !== undefined) {
    if (WITHOUT_DATA.has(method)) {
      throw new EndpointError(
        'UNEXPECTED_DATA',
        `${method.toUpperCase()} sends no content, and so no "data"`,
      );
    }
    body = copyBody(data, checkOf(settings.strict));
  } else if (method !== 'get' && WITH_BODY.has(method)) {
    // A member of a JSON body can have this name (GitHub's branch protection), and must not vanish.
    if (place && given && isOwn.call(given, 'strict') && given.strict !== undefined) {
      throw badOption('"strict" in defaults', given.strict);
    }
    eachLeftOver(call, toBody);
    body = call.body;
  }
  const url = urlOf(call);
  const headers = amendAccept(settings.headers, settings.mediaType, url);
  const result: RequestOptions = { method, url, headers };
  if (body !== undefined) {
    result.body = body;
    if (isJson(body)) headers['content-type'] ??= 'application/json; charset=utf-8';
  }
  if (request !== undefined) result.request = request;
  return result;
};
