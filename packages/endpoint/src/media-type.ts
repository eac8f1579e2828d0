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
  let { format, previews } = defaults;
  for (const name in changes) {
    const value = isOwn.call(changes, name) ? changes[name as keyof MediaType] : undefined;
    if (value === undefined) continue;
    if (name === 'format') format = value as string;
    if (name === 'previews' && value.length > 0) previews = previewNames(previews.concat(value));
  }
  return { format, previews };
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
  if (!format && previews.length === 0) return result;
  let { accept } = headers;
  if (accept && !/octet-stream/i.test(accept)) {
    if (previews.length && url.endsWith('/graphql')) {
      accept = previewNames([...(accept.match(/(?<![\w-])[\w-]+-preview/g) ?? []), ...previews])
        .map((name) => toHeaderValue('accept', `application/vnd.github.${name}-preview+json`))
        .join();
    }
    result.accept = format ? withFormat(accept)(format) : accept;
  }
  return result;
};
