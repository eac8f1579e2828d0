import { overlay } from './data.ts';
import { toHeaderValue } from './headers.ts';
import type { MediaType } from './types.ts';

/** With nothing left out. */
export interface SettledMediaType {
  readonly format: string;
  readonly previews: readonly string[];
}

/** Without the suffix, each once. */
const previewNames = (previews: readonly string[]): string[] => [
  ...new Set(previews.map((name) => name.replace(/-preview$/, ''))),
];

/** The call's `format` wins; previews add up. */
export const mergeMediaType = (changes: MediaType | null, defaults: SettledMediaType): SettledMediaType =>
  overlay({ ...defaults }, changes as Readonly<Record<string, unknown>>, (value, name) =>
    name === 'previews' ? previewNames(defaults.previews.concat(value as readonly string[])) : value,
  ) as unknown as SettledMediaType;

/**
 * A fresh copy of `headers`, with the format (and, for GraphQL, the previews) put into `accept`:
 * `application/vnd.github.v3+json` with the format `raw` becomes `application/vnd.github.v3.raw`.
 */
export const amendAccept = (
  headers: Readonly<Record<string, string>>,
  { format, previews }: SettledMediaType,
  url: string,
): Record<string, string> => {
  let { accept } = headers;
  if (!(format || previews.length) || !accept || /octet-stream/i.test(accept)) return { ...headers };
  if (previews.length && url.endsWith('/graphql')) {
    accept = previewNames([...(accept.match(/(?<![\w-])[\w-]+-preview/g) ?? []), ...previews])
      .map((name) => `application/vnd.github.${name}-preview+json`)
      .join();
  }
  if (format) {
    // GitHub's vendor types, and other vendors' of the same shape: application/vnd.github.v3+json
    accept = accept.replace(
      /(application\/vnd\.[\w-]+(\.v\d+|\.[\w-]+-preview)?)(\.\w+)?(\+json)?(?=\s*([,;]|$))/g,
      `$1.${format.replace(/\$/g, '$$$$')}`,
    );
  }
  return { ...headers, accept: toHeaderValue('accept', accept) };
};
