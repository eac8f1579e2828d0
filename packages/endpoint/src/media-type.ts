import { cached } from './cached.ts';
import { isOwn } from './data.ts';
import { toHeaderValue } from './headers.ts';
import type { MediaType } from './types.ts';

/** With nothing left out. */
export interface SettledMediaType {
  readonly format: string;
  readonly previews: readonly string[];
}

const previewName = cached((name) => name.replace(/-preview$/, ''));

/** Without the suffix, each once. */
const previewNames = (previews: readonly string[]): readonly string[] => {
  const names = previews.map(previewName);
  return names.length > 1 ? [...new Set(names)] : names;
};

/** The call's `format` wins; previews add up. */
export const mergeMediaType = (changes: MediaType | null, defaults: SettledMediaType): SettledMediaType => {
  if (!changes) return defaults;
  const own = <Name extends keyof MediaType>(name: Name) =>
    isOwn.call(changes, name) ? changes[name] : undefined;
  const format = own('format');
  const previews = own('previews') ?? [];
  return {
    format: format === undefined ? defaults.format : format,
    previews: previews.length > 0 ? previewNames(defaults.previews.concat(previews)) : defaults.previews,
  };
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
  if (!format && previews.length === 0) return { ...headers };
  let { accept } = headers;
  if (!accept || /octet-stream/i.test(accept)) return { ...headers };
  if (previews.length && url.endsWith('/graphql')) {
    accept = previewNames([...(accept.match(/(?<![\w-])[\w-]+-preview/g) ?? []), ...previews])
      .map((name) => toHeaderValue('accept', `application/vnd.github.${name}-preview+json`))
      .join();
  }
  return { ...headers, accept: format ? withFormat(accept)(format) : accept };
};
