import { cached } from './cached.ts';
import { toHeaderValue } from './headers.ts';
import type { MediaType } from './types/options.ts';

/** With nothing left out. */
export interface SettledMediaType {
  readonly format: string;
  readonly previews: readonly string[];
}

/** Without the suffix, each once. */
const previewNames = (previews: readonly string[]): readonly string[] => [
  ...new Set(previews.map((name) => name.replace(/-preview$/, ''))),
];

/** The call's `format` wins; previews add up. */
export const mergeMediaType = (changes: MediaType | null, defaults: SettledMediaType): SettledMediaType => {
  // Own properties only
  const { format = defaults.format, previews = [] } = { ...changes };
  const all = defaults.previews;
  return { format, previews: previews.length ? previewNames(all.concat(previews)) : all };
};

/** By `accept`, and then by the format. Both stand in code, and come again with each call. */
const withFormat = cached((accept) =>
  cached((format) =>
    // GitHub's vendor types, and other vendors' of the same shape: application/vnd.github.v3+json
    accept.replace(
      /(application\/vnd\.[\w-]+(\.v\d+|\.[\w-]+-preview)?)(\.\w+)?(\+json)?(?=\s*([,;]|$))/g,
      (_, type) => `${type}.${toHeaderValue('accept', format)}`,
    ),
  ),
);

/**
 * A fresh copy of `headers`, with the format (and, for GraphQL, the previews) put into `accept`:
 * `application/vnd.github.v3+json` with the format `raw` becomes `application/vnd.github.v3.raw`.
 */
export const amendAccept = (
  headers: Readonly<Record<string, string>>,
  { format, previews }: SettledMediaType,
  url: string,
): Record<string, string> => {
  const result: Record<string, string> = { ...headers };
  let { accept } = headers;
  if (accept && (format || previews.length) && !/octet-stream/i.test(accept)) {
    if (previews.length && url.endsWith('/graphql')) {
      accept = previewNames([...(accept.match(/(?<![\w-])[\w-]+-preview/g) ?? []), ...previews])
        .map((name) => toHeaderValue('accept', `application/vnd.github.${name}-preview+json`))
        .join();
    }
    result.accept = format ? withFormat(accept)(format) : accept;
  }
  return result;
};
