import { createReadStream } from 'node:fs';
import type { AlgorithmPolicy } from '../signature/signature-rules.ts';
import { type FetchLimits, fetchDocument } from './fetch-document.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { MetadataError } from './metadata-error.ts';
import { type ReadMetadata, readMetadata } from './reader.ts';

/** A file or URL from which metadata is loaded. */
export interface MetadataSource {
  /** Path of a file, or http(s) URL. */
  readonly location: string;
  /** PEM; empty when the metadata needs no signature. */
  readonly signingCertificates: readonly string[];
  /** The entity ids that are used; empty: all. */
  readonly entityIds: readonly string[];
  /** The metadata of a federation, which has many identity providers and often changes. */
  readonly isFederation: boolean;
  readonly isProxy: boolean;
  /** Seconds between two loads. */
  readonly refresh: number;
  readonly fetch: FetchLimits;
}

export interface LoadedMetadata {
  /** `undefined` when the document has not changed since the `ETag`. */
  readonly read: ReadMetadata | undefined;
  readonly etag: string | undefined;
}

/** @throws MetadataError, OutboundError, or the error of the file system */
export async function loadMetadata(
  source: MetadataSource,
  policy: AlgorithmPolicy,
  now: number,
  etagBefore?: string,
): Promise<LoadedMetadata> {
  const { location, signingCertificates } = source;
  const { content, etag } = isUrl(location)
    ? await fetchDocument(location, source.fetch, etagBefore)
    : { content: createReadStream(location), etag: undefined };
  if (content === undefined) return { read: undefined, etag };
  const read = await readMetadata(content, signingCertificates, policy);
  if (read.validUntil <= now) throw expiredError(read.validUntil);
  // Without an expiry, an attacker could replay an old copy with an identity provider that was removed since.
  if (source.isFederation && read.validUntil === Number.POSITIVE_INFINITY) {
    throw new MetadataError('validUntil is missing; the metadata of a federation must expire');
  }
  return { read: { ...read, providers: chosen(source, read.providers) }, etag };
}

export function expiredError(validUntil: number): MetadataError {
  return new MetadataError(`it expired at ${shown(validUntil)}`);
}

export function isUrl(location: string): boolean {
  return /^https?:\/\//i.test(location);
}

function chosen(
  { entityIds, isProxy }: MetadataSource,
  providers: readonly IdentityProvider[],
): readonly IdentityProvider[] {
  const selected =
    entityIds.length === 0 ? providers : providers.filter(({ entityId }) => entityIds.includes(entityId));
  const missing = entityIds.find((entityId) => !selected.some((provider) => provider.entityId === entityId));
  if (missing !== undefined) throw new MetadataError(`it has no usable identity provider ${missing}`);
  if (selected.length === 0) throw new MetadataError('it has no usable identity provider');
  return isProxy ? selected.map((provider) => ({ ...provider, isProxy })) : selected;
}

function shown(timestamp: number): string {
  return timestamp === 0 ? 'a time that cannot be read' : new Date(timestamp).toISOString();
}
