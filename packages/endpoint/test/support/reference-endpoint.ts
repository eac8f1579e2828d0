import type { RequestOptions } from '@watchword/endpoint';
import { type Expression, encode, expandExpression, parseTemplate, Refused } from './reference-template.ts';
import { jsonData, membersOf, templateData } from './reference-values.ts';

type Options = Readonly<Record<string, unknown>>;
type Part = string | Expression;

export interface ReferenceCall {
  /** Those of `createEndpoint`, and of each `defaults`. */
  readonly levels: readonly Options[];
  readonly route: string | undefined;
  readonly options: Options;
  readonly parameters: Options | undefined;
}

const NAMES = new Set([
  ...['method', 'url', 'baseUrl', 'headers', 'mediaType'],
  ...['data', 'strict', 'style', 'schema', 'request'],
]);
const SENDS_JSON = new Set(['POST', 'PATCH', 'PUT', 'DELETE', 'QUERY']);
const SENDS_NOTHING = new Set(['GET', 'HEAD', 'TRACE', 'CONNECT']);

interface Merged {
  readonly options: Record<string, unknown>;
  readonly headers: Map<string, string>;
  readonly mediaType: { format: string; previews: readonly string[] };
  readonly parameters: Map<string, unknown>;
}

interface Style {
  readonly arrays?: string;
  readonly objects?: string;
  readonly parameters?: Readonly<Record<string, Style>>;
}

const defined = (object: unknown) =>
  Object.entries(Object(object)).filter(([, value]) => value !== undefined) as [string, never][];

const isObject = (value: unknown): value is Options =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** The README's table of options, level after level. */
function merge({ levels, options, parameters }: ReferenceCall): Merged {
  const merged: Merged = {
    options: {},
    headers: new Map(),
    mediaType: { format: '', previews: [] },
    parameters: new Map(),
  };
  for (const level of [...levels, options]) {
    for (const [name, value] of defined(level)) {
      if (!NAMES.has(name)) merged.parameters.set(name, value);
      else if (name === 'headers') mergeHeaders(merged.headers, value);
      else if (name === 'mediaType') mergeMediaType(merged.mediaType, value);
      else if (name === 'style') merged.options.style = mergeStyle(merged.options.style, value);
      else if (name === 'request' && isObject(value) && isObject(merged.options.request))
        merged.options.request = { ...merged.options.request, ...Object.fromEntries(defined(value)) };
      else merged.options[name] = value;
    }
  }
  for (const [name, value] of defined(parameters)) merged.parameters.set(name, value);
  return merged;
}

function mergeHeaders(headers: Map<string, string>, changes: object): void {
  for (const [name, value] of defined(changes)) {
    if (!/^[\w-]+$/.test(name)) throw new Refused('INVALID_HEADER');
    headers.delete(name.toLowerCase());
    if (value === null) continue;
    if ([...String(value)].some((character) => !/[\t -~\x80-\xff]/.test(character)))
      throw new Refused('INVALID_HEADER');
    headers.set(name.toLowerCase(), String(value));
  }
}

function mergeMediaType(mediaType: Merged['mediaType'], changes: Partial<Merged['mediaType']>): void {
  mediaType.format = changes.format ?? mediaType.format;
  const names = [...mediaType.previews, ...(changes.previews ?? [])].map((name) =>
    name.replace(/-preview$/, ''),
  );
  mediaType.previews = [...new Set(names)];
}

const mergeStyle = (one: unknown, other: Style): Style => {
  const before = (one ?? {}) as Style;
  return { ...before, ...other, parameters: { ...before.parameters, ...other.parameters } };
};

/** Method and URL. */
function placeOf(route: string | undefined, { method = 'GET', url }: Options): readonly [string, string] {
  if (route === undefined) return [String(method).toUpperCase(), String(url)];
  const words = route.split(' ');
  return words.length === 1 ? ['GET', route] : [String(words[0]).toUpperCase(), words.slice(1).join(' ')];
}

const withColons = (path: string): string =>
  path
    .split('/')
    .map((segment, index) => (index > 0 ? segment.replace(/^:([A-Za-z_]\w*)(?=[.{]|$)/, '{$1}') : segment))
    .join('/');

/** Path, and what follows it; with a slash where there is none. */
function partsOf(template: string): readonly [path: readonly Part[], rest: readonly Part[]] {
  const whole = /^[/{?#]/.test(template) || template === '' ? template : `/${template}`;
  const literalEnd = whole.search(/[?#]/);
  const parts = parseTemplate(
    literalEnd < 0 ? withColons(whole) : withColons(whole.slice(0, literalEnd)) + whole.slice(literalEnd),
  ).flatMap((part): readonly Part[] => (typeof part === 'string' ? part.split(/(?=[?#])/) : [part]));
  const isRest = (part: Part) => /^[?#]/.test(typeof part === 'string' ? part : part.operator);
  const end = parts.findIndex(isRest);
  return end < 0 ? [parts, []] : [parts.slice(0, end), parts.slice(end)];
}

function expandPath(parts: readonly Part[], values: ReadonlyMap<string, unknown>): string {
  return parts
    .map((part, index) => {
      if (typeof part === 'string') return encode(part, true);
      const text = expandExpression(part, (name) => {
        const data = templateData(values.get(name));
        const next = parts[index + 1];
        const isBeforeSlash = typeof next === 'string' && next.startsWith('/');
        const isNothing = data === undefined || (data === '' && isBeforeSlash);
        if (isNothing && /^\+?$/.test(part.operator)) throw new Refused('MISSING_VARIABLE');
        return data;
      });
      return text;
    })
    .join('');
}

/** No segment of the path is a dot segment, to those who read URLs as browsers do, and no host begins. */
function checkPath(whole: string): void {
  const [path = ''] = whole.split(/[?#]/, 1);
  if (!/^(?:\/|$)/.test(path) || path.startsWith('//')) throw new Refused('UNSAFE_VALUE');
  for (const segment of path.split('/')) {
    const [name = ''] = segment.split(';');
    if (/^(?:\.|\.\.)$/.test(name.replace(/%2e/gi, '.'))) throw new Refused('UNSAFE_VALUE');
  }
}

function queryPair(name: string, value: unknown, style: Style): string | undefined {
  const found = membersOf(value);
  const { arrays = 'comma', objects = 'form' } = style;
  if (found === undefined || (found.isList ? arrays === 'comma' : objects === 'form')) {
    const spec = { name, prefix: undefined, explode: false };
    return (
      expandExpression({ operator: '&', specs: [spec] }, () => templateData(value)).slice(1) || undefined
    );
  }
  const pairs = found.members.map(([key, member]) => {
    if (!found.isList) return queryPair(`${name}[${encode(key, false)}]`, member, style);
    if (arrays === 'repeat') return queryPair(name, [member], { arrays: 'comma' });
    return queryPair(`${name}[${arrays === 'brackets' ? '' : key}]`, member, style);
  });
  return pairs.filter((pair) => pair !== undefined).join('&') || undefined;
}

/** A query goes behind the one that is there, and before the fragment. */
function appendQuery(url: string, query: string): string {
  if (query === '') return url;
  const [head = '', ...fragment] = url.split('#');
  const separator = head.includes('?') ? (/[?&]$/.test(head) ? '' : '&') : '?';
  return [head + separator + query, ...fragment].join('#');
}

function acceptOf(accept: string, { format, previews }: Merged['mediaType'], url: string): string {
  if (/octet-stream/.test(accept)) return accept;
  const names = url.endsWith('/graphql') ? previews : [];
  const types =
    names.length > 0 ? names.map((name) => `application/vnd.github.${name}-preview+json`) : [accept];
  return types
    .map((type) => (format && /^application\/vnd/.test(type) ? type.replace(/\+json$/, `.${format}`) : type))
    .join(',');
}

/** What the README says that a call gives; slow, and without a look at the package. @throws Refused */
export function referenceEndpoint(call: ReferenceCall): RequestOptions {
  const { options, headers, mediaType, parameters } = merge(call);
  const [method, url] = placeOf(call.route, options);
  const origin = /^[a-z]+:\/\/[^/?#{]*/i.exec(url)?.[0] ?? '';
  const [path, rest] = partsOf(url.slice(origin.length));
  const used = new Set(
    [...path, ...rest].flatMap((part) =>
      typeof part === 'string' ? [] : part.specs.map(({ name }) => name),
    ),
  );
  const left = [...parameters].filter(([name]) => !used.has(name));
  const { data, request } = options;
  let body: unknown;
  if (data !== undefined) {
    if (SENDS_NOTHING.has(method)) throw new Refused('UNEXPECTED_DATA');
    body = typeof data === 'string' || data instanceof URLSearchParams ? data : jsonData(data);
  } else if (SENDS_JSON.has(method) && left.length > 0) {
    body = Object.fromEntries(left.map(([name, value]) => [name, jsonData(value)]));
  }
  const isInQuery = !SENDS_JSON.has(method) || (method === 'QUERY' && data !== undefined);
  const style = (options.style ?? {}) as Style;
  const query = (isInQuery ? left : [])
    .map(([name, value]) => queryPair(encode(name, false), value, { ...style, ...style.parameters?.[name] }))
    .filter((pair) => pair !== undefined)
    .join('&');
  const first = expandPath(path, parameters);
  const whole =
    first +
    rest
      .map((part) =>
        typeof part === 'string'
          ? encode(part, true)
          : expandExpression(part, (name) => templateData(parameters.get(name))),
      )
      .join('');
  checkPath(whole);
  const [, root = '', baseQuery = ''] =
    /^([^?]*?)\/?(?:\?(.*))?$/.exec(origin || String(options.baseUrl)) ?? [];
  const full = root + appendQuery(appendQuery(whole, baseQuery), query);
  const accept = headers.get('accept');
  if (accept !== undefined) headers.set('accept', acceptOf(accept, mediaType, full));
  const isJson = typeof body !== 'string' && !(body instanceof URLSearchParams);
  if (body !== undefined && isJson && !headers.has('content-type'))
    headers.set('content-type', 'application/json; charset=utf-8');
  return {
    ...{ method: method.toLowerCase(), url: full, headers: Object.fromEntries(headers) },
    ...(body === undefined ? {} : { body }),
    ...(request === undefined ? {} : { request }),
  };
}
