import { createOutboundFetch, type OutboundLimits } from '@watchword/outbound';
import { MetadataError } from './metadata-error.ts';

export interface FetchLimits extends OutboundLimits {
  readonly allowPrivateAddresses: boolean;
}

export interface FetchedDocument {
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
export async function fetchDocument(
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
