import { createReadStream } from 'node:fs';
import { createOutboundFetch, type OutboundLimits } from '@watchword/outbound';
import type { AlgorithmPolicy } from '../signature/signature-rules.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { MetadataError } from './metadata-error.ts';
import { type ReadMetadata, readMetadata } from './reader.ts';

/** A file or URL from which metadata is loaded. */
export interface MetadataSource {
  /** Path of a file, http(s) URL, or the name of the option with the text. */
  readonly location: string;
  /** The metadata itself. */
  readonly text?: string | undefined;
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
  const { signingCertificates } = source;
  const { content, etag } = await opened(source, etagBefore);
  if (content === undefined) return { read: undefined, etag };
  const read = await readMetadata(content, signingCertificates, policy);
  if (read.validUntil <= now) throw expiredError(read.validUntil);
  // Without an expiry, an attacker could replay an old copy with an identity provider that was removed since.
  if (source.isFederation && read.validUntil === Number.POSITIVE_INFINITY) {
    throw new MetadataError('validUntil is missing; the metadata of a federation must expire');
  }
  return { read: { ...read, providers: chosen(source, read.providers) }, etag };
}

async function opened(
  { location, text, fetch }: MetadataSource,
  etagBefore?: string,
): Promise<FetchedDocument> {
  if (text !== undefined) return { content: piecesOf(Buffer.from(text)), etag: undefined };
  if (isUrl(location)) return fetchDocument(location, fetch, etagBefore);
  return { content: createReadStream(location), etag: undefined };
}

async function* piecesOf(...pieces: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* pieces;
}

export function expiredError(validUntil: number): MetadataError {
  return new MetadataError(`it expired at ${shown(validUntil)}`);
}

export function isUrl(location: string): boolean {
  return /^https?:\/\//i.test(location);
}

function chosen(
  { entityIds, isFederation, isProxy }: MetadataSource,
  providers: readonly IdentityProvider[],
): readonly IdentityProvider[] {
  const selected =
    entityIds.length === 0 ? providers : providers.filter(({ entityId }) => entityIds.includes(entityId));
  const missing = entityIds.find((entityId) => !selected.some((provider) => provider.entityId === entityId));
  if (missing !== undefined) throw new MetadataError(`it has no usable identity provider ${missing}`);
  if (selected.length === 0) throw new MetadataError('it has no usable identity provider');
  // Of two, it would be a matter of chance whose key is trusted. A federation must not end by the mistake of one member.
  const second = isFederation ? undefined : secondOf(selected);
  if (second !== undefined) throw new MetadataError(`it describes the identity provider ${second} twice`);
  return isProxy ? selected.map((provider) => ({ ...provider, isProxy })) : selected;
}

function secondOf(providers: readonly IdentityProvider[]): string | undefined {
  const seen = new Set<string>();
  return providers.find(({ entityId }) => seen.size === seen.add(entityId).size)?.entityId;
}

function shown(timestamp: number): string {
  return timestamp === 0 ? 'a time that cannot be read' : new Date(timestamp).toISOString();
}

/** Whether addresses that are not public are permitted, or the hosts for which they are. */
export type PrivateHosts = boolean | readonly string[];

interface FetchLimits extends OutboundLimits {
  readonly allowPrivateAddresses: PrivateHosts;
}

interface FetchedDocument {
  /** `undefined` when the document has not changed since that `ETag` (RFC 9110 §13.1.2). */
  readonly content: AsyncIterable<Uint8Array> | undefined;
  readonly etag: string | undefined;
}

/** `http` is permitted: the options require that metadata without TLS is signed, or permit private addresses. */
const permitted = { allowHttp: true };
const accept = 'application/samlmetadata+xml, application/xml;q=0.9, text/xml;q=0.8';

/**
 * Fetches metadata from a URL of the configuration.
 *
 * @throws OutboundError, also while the content is read; MetadataError when the status is not 200
 */
async function fetchDocument(
  url: string,
  { allowPrivateAddresses, ...limits }: FetchLimits,
  etag?: string,
): Promise<FetchedDocument> {
  const outboundFetch = createOutboundFetch({ ...permitted, allowPrivateAddresses });
  const headers = { accept, ...(etag !== undefined && { 'if-none-match': etag }) };
  const answer = await outboundFetch(url, { headers, ...limits });
  if (answer.status === 200) return { content: answer.content, etag: answer.headers.etag };
  answer.close();
  if (answer.status === 304 && etag !== undefined) return { content: undefined, etag };
  throw new MetadataError(`expected status 200, got ${answer.status}`);
}
