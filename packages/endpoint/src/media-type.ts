import { mergeHeaders } from './headers.ts';
import type { MediaType } from './types.ts';

// GitHub's vendor types, and other vendors' of the same shape: application/vnd.github.v3+json
const VENDOR_TYPE = /(application\/vnd\.[\w-]+(\.v\d+|\.[\w-]+-preview)?)(\.\w+)?(\+json)?(?=\s*(,|$))/g;

/** The call's `format` wins; previews add up. */
export function mergeMediaType(
  changes: MediaType | null,
  defaults: Required<MediaType>,
): Required<MediaType> {
  return { ...defaults, ...changes, previews: [...defaults.previews, ...(changes?.previews ?? [])] };
}

/**
 * A fresh copy of `headers`, with the format (and, for GraphQL, the previews) put into `accept`:
 * `application/vnd.github.v3+json` with the format `raw` becomes `application/vnd.github.v3.raw`.
 */
export function amendAccept(
  headers: Readonly<Record<string, string>>,
  { format, previews }: Required<MediaType>,
  url: string,
): Record<string, string> {
  let { accept } = headers;
  if (!(format || previews.length) || !accept || /octet-stream/i.test(accept)) return { ...headers };
  if (previews.length && url.endsWith('/graphql')) {
    accept = [...(accept.match(/(?<![\w-])[\w-]+-preview/g) ?? []), ...previews]
      .map((name) => `application/vnd.github.${name.replace(/(-preview)?$/, '-preview')}+json`)
      .join();
  }
  return mergeHeaders({ accept: format ? accept.replace(VENDOR_TYPE, `$1.${format}`) : accept }, headers);
}
