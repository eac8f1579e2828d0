import { copyData, isOwn, isPlain, kindOf, overlay, put } from './data.ts';
import { unexpected } from './endpoint-error.ts';
import { checkMethod, mergeHeaders } from './headers.ts';
import { mergeMediaType, type SettledMediaType } from './media-type.ts';
import { isSchema } from './schema.ts';
import type { MergedOptions, Parameters, Schemas, Style } from './types.ts';

/** All options. Each has its place, so that a copy costs little. */
export interface Settings {
  /** Lower case. */
  readonly method: string;
  readonly url?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: SettledMediaType;
  readonly data?: unknown;
  readonly strict?: boolean | undefined;
  readonly style?: Style | undefined;
  readonly schema?: Schemas | undefined;
  readonly request?: unknown;
}

// Every name is here, so that none is ever looked up in a prototype.
export const NO_SETTINGS: Settings = {
  method: 'get',
  url: undefined,
  baseUrl: undefined,
  headers: {},
  mediaType: { format: '', previews: [] },
  data: undefined,
  strict: undefined,
  style: undefined,
  schema: undefined,
  request: undefined,
};

/** A URL object's text. */
const toText = (url: { readonly href?: string } | null): string => url?.href ?? (url as string);

/** The names of all options; any other name is a parameter's. */
export const OPTIONS: ReadonlySet<string> = new Set(Object.keys(NO_SETTINGS));

/** One level deep: a call that passes a signal keeps the agent of the defaults. */
const mergeRequest = (changes: unknown, defaults: unknown): unknown =>
  changes && defaults && isPlain(changes) && isPlain(defaults) ? overlay({ ...defaults }, changes) : changes;

/** A parameter can have the name of an option only in the third argument. */
export const badOption = (expected: string, value: unknown) =>
  unexpected('INVALID_OPTION', `${expected} (parameters of this name: third argument)`, kindOf(value));

const check = <Option>(value: unknown, isValid: boolean, expected: string): Option => {
  if (isValid) return value as Option;
  throw badOption(expected, value);
};

const isStyle = (value: unknown): boolean =>
  Object.entries(Object(value)).every(([name, style]) => {
    if (name === 'parameters') return Object.values(Object(style)).every(isStyle);
    return /^arrays:(comma|repeat|brackets|indices)$|^objects:(form|deepObject)$|:undefined$/.test(
      `${name}:${style}`,
    );
  });

/**
 * Options over the defaults: own properties only. Undefined values are ignored. A `switch` has no look-up by name, and
 * most names are those of parameters.
 * @param isRouted whether method and URL come from a route, and not from the options
 * @throws EndpointError `INVALID_METHOD`, `INVALID_HEADER`
 */
export const settle = (
  defaults: Settings,
  options: Parameters | null | undefined,
  isRouted = false,
): Settings => {
  let { method, url, baseUrl, headers, mediaType, data, strict, style, schema, request } = defaults;
  let isChanged = false;
  for (const name in options) {
    const value = isOwn.call(options, name) ? options[name] : undefined;
    if (value === undefined) continue;
    switch (name) {
      case 'method':
        if (!isRouted) method = checkMethod(value as string);
        break;
      case 'url':
        if (!isRouted) url = toText(value as never);
        break;
      case 'baseUrl':
        baseUrl = toText(value as never);
        break;
      case 'headers':
        headers = mergeHeaders(value as never, headers);
        break;
      case 'mediaType':
        mediaType = mergeMediaType(value as never, mediaType);
        break;
      case 'data':
        data = value;
        break;
      case 'strict':
        strict = check(value, typeof value === 'boolean', 'true or false as "strict"');
        break;
      case 'style':
        check(value, isStyle(value), 'arrays, objects and parameters as "style"');
        style = {
          ...style,
          ...(value as Style),
          parameters: { ...style?.parameters, ...(value as Style).parameters },
        };
        break;
      case 'schema':
        schema = check(value, isSchema(value), 'Standard Schemas as "schema"');
        break;
      case 'request':
        request = mergeRequest(value, request);
        break;
      default:
        continue;
    }
    isChanged = true;
  }
  return isChanged
    ? { method, url, baseUrl, headers, mediaType, data, strict, style, schema, request }
    : defaults;
};

/** Gives `target` the parameters among the options. */
export const takeParameters = (
  target: Record<string, unknown>,
  options: Parameters | null | undefined,
  copy?: (value: unknown) => unknown,
): Record<string, unknown> => overlay(target, options, copy, OPTIONS);

/** Defaults: the settings, and the parameters in their order. Nobody else has any of it. */
export interface Defaults {
  readonly settings: Settings;
  readonly names: readonly string[];
  /** Without a prototype. */
  readonly parameters: Parameters | undefined;
}

export const NO_DEFAULTS: Defaults = { settings: NO_SETTINGS, names: [], parameters: undefined };

/** The defaults with options over them, of which they keep copies. */
export const addDefaults = (defaults: Defaults, options: Parameters): Defaults => {
  let settings = settle(defaults.settings, options);
  if (settings.data !== defaults.settings.data) settings = { ...settings, data: copyData(settings.data) };
  const parameters = takeParameters(
    Object.assign(Object.create(null), defaults.parameters),
    options,
    copyData,
  );
  const names = Object.keys(parameters);
  return { settings, names, parameters: names.length > 0 ? parameters : undefined };
};

/**
 * Defaults and options in one fresh object, but for `schema` and `request`.
 * @param given whose parameters are put over those of the defaults
 */
export const show = (
  settings: Settings,
  { method, url }: Pick<Settings, 'method' | 'url'>,
  { names, parameters }: Defaults,
  given: Parameters | null | undefined,
): MergedOptions => {
  const shown = overlay(
    {},
    {
      ...settings,
      method: method.toUpperCase(),
      url,
      headers: { ...settings.headers },
      mediaType: { ...settings.mediaType, previews: settings.mediaType.previews.slice() },
      data: copyData(settings.data),
      style: copyData(settings.style),
    },
  );
  for (const name of names) put(shown, name, copyData(parameters?.[name]));
  return takeParameters(shown, given, copyData) as unknown as MergedOptions;
};
