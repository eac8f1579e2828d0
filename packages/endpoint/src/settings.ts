import { copyData, isPlain, kindOf, overlay, own } from './data.ts';
import { unexpected } from './endpoint-error.ts';
import { checkMethod, mergeHeaders } from './headers.ts';
import { mergeMediaType, type SettledMediaType } from './media-type.ts';
import { isSchema } from './schema.ts';
import type { MergedOptions, Parameters, Schemas, Style } from './types/options.ts';

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

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

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

/** The names of all options; any other name is a parameter's. */
export const OPTIONS: ReadonlySet<string> = /* @__PURE__ */ new Set(/* @__PURE__ */ Object.keys(NO_SETTINGS));

/** One level deep: a call that passes a signal keeps the agent of the defaults. */
const mergeRequest = (changes: unknown, defaults: unknown): unknown =>
  changes && defaults && isPlain(changes) && isPlain(defaults) ? overlay({ ...defaults }, changes) : changes;

/** A parameter can have the name of an option only in the third argument. */
export const badOption = (expected: string, value: unknown) =>
  unexpected('INVALID_OPTION', `${expected} (parameters: third argument)`, kindOf(value));

const mergeStyle = (changes: Style, defaults: Style | undefined): Style => ({
  ...defaults,
  ...changes,
  parameters: { ...defaults?.parameters, ...changes.parameters },
});

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
 * @param place what a route names: then the options' `method` may be anything, and their `url` is not read
 * @throws EndpointError `INVALID_METHOD`, `INVALID_HEADER`, `INVALID_OPTION`
 */
export const settle = (
  defaults: Settings,
  options: Parameters | null | undefined,
  place?: object,
): Writable<Settings> => {
  const settings: Writable<Settings> = { ...defaults };
  for (const name in options) {
    const value = own(options, name) as never;
    if (value === undefined) continue;
    switch (name) {
      case 'method':
        if (!place) settings.method = checkMethod(value);
        break;
      case 'url':
      case 'baseUrl':
        // A URL object's text
        settings[name] = (value as { readonly href?: string } | null)?.href ?? value;
        break;
      case 'headers':
        settings.headers = mergeHeaders(value, settings.headers);
        break;
      case 'mediaType':
        settings.mediaType = mergeMediaType(value, settings.mediaType);
        break;
      case 'strict':
        if (typeof value !== 'boolean') throw badOption('a boolean as "strict"', value);
        settings.strict = value;
        break;
      case 'style':
        if (!isStyle(value)) throw badOption('arrays, objects and parameters as "style"', value);
        settings.style = mergeStyle(value, settings.style);
        break;
      case 'data':
        settings.data = value;
        break;
      case 'schema':
        if (!isSchema(value)) throw badOption('Standard Schemas as "schema"', value);
        settings.schema = value;
        break;
      case 'request':
        settings.request = mergeRequest(value, settings.request);
    }
  }
  return settings;
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
  /** It inherits nothing. */
  readonly parameters: Parameters | undefined;
}

export const NO_DEFAULTS: Defaults = { settings: NO_SETTINGS, parameters: undefined };

/** An object that inherits it has no other names. Of `Object.create(null)` V8 makes a dictionary, slow to fill and to read. */
const NOTHING = /* @__PURE__ */ Object.create(null);

/** The defaults with options over them, of which they keep copies. */
export const addDefaults = (defaults: Defaults, options: Parameters): Defaults => {
  const settings = settle(defaults.settings, options);
  settings.data = copyData(settings.data);
  const parameters = takeParameters(
    Object.assign(Object.create(NOTHING), defaults.parameters),
    options,
    copyData,
  );
  return { settings, parameters: Object.keys(parameters).length ? parameters : undefined };
};

/**
 * Defaults and options in one fresh object, but for `schema` and `request`.
 * @param given whose parameters are put over those of the defaults
 */
export const show = (
  defaults: Defaults,
  place?: Pick<Settings, 'method' | 'url'>,
  given?: Parameters,
): MergedOptions => {
  const settings = settle(defaults.settings, given, place);
  const { method, url } = place ?? settings;
  const { mediaType } = settings;
  const shown = overlay(
    {},
    {
      ...settings,
      method: method.toUpperCase(),
      url,
      headers: { ...settings.headers },
      mediaType: { ...mediaType, previews: mediaType.previews.slice() },
      data: copyData(settings.data),
      style: copyData(settings.style),
    },
  );
  overlay(shown, defaults.parameters, copyData);
  return takeParameters(shown, given, copyData) as unknown as MergedOptions;
};
