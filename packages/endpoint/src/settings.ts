import { copyData, overlay, same } from './data.ts';
import { mergeHeaders } from './headers.ts';
import { mergeMediaType, type SettledMediaType } from './media-type.ts';
import { checkMethod, splitRoute } from './route.ts';
import type { MergedOptions, Options, Parameters } from './types.ts';

/** All options, and the parameters. */
export interface Settings extends Parameters {
  /** Lower case. */
  readonly method: string;
  readonly url?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: SettledMediaType;
  readonly data?: unknown;
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
  request: undefined,
};

/** A URL object's text. */
const toText = (url: { readonly href?: string } | null): unknown => url?.href ?? url;

type Read = (value: never, before: never) => unknown;

/** How an option is put over its default, where it does not simply replace it; any name not here is a parameter's. */
export const OPTIONS = new Map<string, Read | undefined>(
  Object.entries({
    ...(NO_SETTINGS as Record<string, undefined>),
    method: checkMethod,
    url: toText,
    baseUrl: toText,
    headers: mergeHeaders,
    mediaType: mergeMediaType,
  }),
);

/** A call as options alone. Where there is a route, the method and URL in the options are ignored. */
export const toOptions = (route: string | Options, options?: Options | null): Options =>
  typeof route === 'string' ? { ...options, ...splitRoute(route) } : route;

/**
 * Options over the defaults: own properties only. Undefined values are ignored.
 * @throws EndpointError `INVALID_METHOD`, `INVALID_HEADER`
 */
export const settle = (defaults: Settings, options: Options): Settings =>
  overlay({ ...defaults }, options, (value, name) =>
    (OPTIONS.get(name) ?? same)(value as never, defaults[name] as never),
  ) as Settings;

/** The parameters alone. */
export const parametersOf = (settings: Settings): Parameters | undefined =>
  overlay(undefined, settings, same, OPTIONS);

/** What a caller may see: fresh or frozen down to the last list, but for `request`. */
export const show = (settings: Settings, finish: <T>(copy: T) => T = same): MergedOptions =>
  finish(
    overlay({}, { ...settings, method: settings.method.toUpperCase() }, (value, name) =>
      name === 'request' ? value : copyData(value, finish),
    ),
  ) as unknown as MergedOptions;
