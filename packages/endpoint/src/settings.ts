import { copyData, each, overlay, same } from './data.ts';
import { checkMethod, mergeHeaders } from './headers.ts';
import { mergeMediaType, type SettledMediaType } from './media-type.ts';
import type { MergedOptions, Parameters } from './types.ts';

/** All options. Each has its place, so that a copy costs little. */
export interface Settings {
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
const toText = (url: { readonly href?: string } | null): string => url?.href ?? (url as string);

/** The names of all options; any other name is a parameter's. */
export const OPTIONS: ReadonlySet<string> = new Set(Object.keys(NO_SETTINGS));

/**
 * Options over the defaults: own properties only. Undefined values are ignored. A `switch` has no look-up by name, and
 * most names are those of parameters.
 * @param route the method and the URL, if they do not come from the options
 * @throws EndpointError `INVALID_METHOD`, `INVALID_HEADER`
 */
export const settle = (
  defaults: Settings,
  options: Parameters | null | undefined,
  route?: Pick<Settings, 'method' | 'url'>,
): Settings => {
  let { method, url } = route ?? defaults;
  let { baseUrl, headers, mediaType, data, request } = defaults;
  each(options, (value, name) => {
    switch (name) {
      case 'method':
        if (!route) method = checkMethod(value);
        break;
      case 'url':
        if (!route) url = toText(value);
        break;
      case 'baseUrl':
        baseUrl = toText(value);
        break;
      case 'headers':
        headers = mergeHeaders(value, headers);
        break;
      case 'mediaType':
        mediaType = mergeMediaType(value, mediaType);
        break;
      case 'data':
        data = value;
        break;
      case 'request':
        request = value;
    }
  });
  return { method, url, baseUrl, headers, mediaType, data, request };
};

/** The parameters alone. */
export const parametersOf = (options: Parameters): Parameters | undefined =>
  overlay(undefined, options, same, OPTIONS);

/**
 * What a caller may see: fresh or frozen down to the last list, but for `request`.
 * @param options whose parameters are put over `parameters`
 */
export const show = (
  settings: Settings,
  parameters: Parameters | undefined,
  options: Parameters,
  finish: <T>(copy: T) => T = same,
): MergedOptions => {
  const copy = (value: unknown, name: string) => (name === 'request' ? value : copyData(value, finish));
  const shown = overlay({}, { ...settings, method: settings.method.toUpperCase() }, copy);
  return finish(
    overlay(overlay(shown, parameters, copy), options, copy, OPTIONS),
  ) as unknown as MergedOptions;
};
