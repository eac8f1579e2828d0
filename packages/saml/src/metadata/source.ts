import { createReadStream } from 'node:fs';
import type { AlgorithmPolicy } from '../signature/signature-rules.ts';
import { type FetchLimits, fetchDocument } from './fetch-document.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { MetadataFault } from './metadata-fault.ts';
import { type ReadMetadata, readMetadata } from './reader.ts';

/** A place from which metadata is loaded. */
export interface MetadataSource {
  /** Path of a file, or http(s) URL. */
  readonly location: string;
  /** PEM; empty when the metadata need no signature. */
  readonly signingCertificates: readonly string[];
  /** The entities that are used; empty: all. */
  readonly entityIds: readonly string[];
  /** The metadata of a federation: many identity providers, and the set of them changes. */
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

/** @throws MetadataFault, OutboundError, or the error of the file system */
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
  if (read.validUntil <= now) throw endedFault(read.validUntil);
  // Without an end, an old copy with an identity provider that was removed since could be used for ever.
  if (source.isFederation && read.validUntil === Number.POSITIVE_INFINITY) {
    throw new MetadataFault('they are signed, but for ever: validUntil is missing');
  }
  return { read: { ...read, providers: chosen(source, read.providers) }, etag };
}

export function endedFault(validUntil: number): MetadataFault {
  return new MetadataFault(`they were valid until ${shown(validUntil)} only`);
}

export function isUrl(location: string): boolean {
  return /^https?:\/\//i.test(location);
}

function chosen(
  { entityIds, isProxy }: MetadataSource,
  providers: readonly IdentityProvider[],
): readonly IdentityProvider[] {
  const meant =
    entityIds.length === 0 ? providers : providers.filter(({ entityId }) => entityIds.includes(entityId));
  const missing = entityIds.find((entityId) => !meant.some((provider) => provider.entityId === entityId));
  if (missing !== undefined) throw new MetadataFault(`they have no usable identity provider ${missing}`);
  if (meant.length === 0) throw new MetadataFault('they have no usable identity provider');
  return isProxy ? meant.map((provider) => ({ ...provider, isProxy })) : meant;
}

function shown(moment: number): string {
  return moment === 0 ? 'a time that cannot be read' : new Date(moment).toISOString();
}
