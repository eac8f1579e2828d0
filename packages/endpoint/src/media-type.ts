import { mergeHeaders } from './headers.ts';
import type { MediaType } from './types.ts';

/** The call's `format` wins; previews add up. */
export const mergeMediaType = (
  changes: MediaType | null,
  defaults: Required<MediaType>,
): Required<MediaType> => ({
  ...defaults,
  ...changes,
  previews: [...defaults.previews, ...(changes?.previews ?? [])],
});

/**
 * A fresh copy of `headers`, with the format (and, for GraphQL, the previews) put into `accept`:
 * `application/vnd.github.v3+json` with the format `raw` becomes `application/vnd.github.v3.raw`.
 */
export const amendAccept = (
  headers: Readonly<Record<string, string>>,
  { format, previews }: Required<MediaType>,
  url: string,
): Record<string, string> => {
  let { accept } = headers;
  if (!(format || previews.length) || !accept || /octet-stream/i.test(accept)) return { ...headers };
  if (previews.length && url.endsWith('/graphql')) {
    accept = [...(accept.match(/(?<![\w-])[\w-]+-preview/g) ?? []), ...previews]
      .map((name) => `application/vnd.github.${name.replace(/-preview$/, '')}-preview+json`)
      .join();
  }
  if (format) {
    // GitHub's vendor types, and other vendors' of the same shape: application/vnd.github.v3+json
    accept = accept.replace(
      /(application\/vnd\.[\w-]+(\.v\d+|\.[\w-]+-preview)?)(\.\w+)?(\+json)?(?=\s*(,|$))/g,
      `$1.${format}`,
    );
  }
  return mergeHeaders({ accept }, headers);
};
