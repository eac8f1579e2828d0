import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import {
  type ClientRequest,
  type IncomingMessage,
  request as overHttp,
  type RequestOptions,
} from 'node:http';
import { request as overHttps } from 'node:https';
import { createGunzip } from 'node:zlib';
import { checkedAddresses, type Resolve, systemResolve } from './checked-addresses.ts';
import { Deadline, type Timeouts } from './deadline.ts';
import { FetchFault } from './fetch-fault.ts';

export interface FetchLimits extends Timeouts {
  /** Bytes of the document, unpacked. */
  readonly maxBytes: number;
  /** Addresses of this machine and of private networks may be asked too. */
  readonly allowPrivateAddresses: boolean;
}

export interface FetchedDocument {
  /** `undefined` when it is still the one with that `ETag`. */
  readonly content: AsyncIterable<Uint8Array> | undefined;
  readonly etag: string | undefined;
}

/**
 * Gets a document that the administrator named. The name is resolved once, every address that it has must be public,
 * and one of exactly these is connected to: a name that answers differently the next time leads nowhere else. A
 * redirect is not followed.
 *
 * @throws FetchFault, also while the content is read
 */
export async function fetchDocument(
  url: string,
  limits: FetchLimits,
  etag?: string,
  resolve: Resolve = systemResolve,
): Promise<FetchedDocument> {
  const target = new URL(url);
  const deadline = new Deadline(limits);
  try {
    const addresses = await deadline.orTooSlow(
      checkedAddresses(target, limits.allowPrivateAddresses, resolve),
    );
    const sent = ask(target, addresses, etag);
    deadline.onEnd(() => sent.destroy());
    const [answer] = (await deadline.orTooSlow(once(sent, 'response'))) as [IncomingMessage];
    deadline.answered();
    if (answer.statusCode === 304 && etag !== undefined) {
      deadline.end();
      return { content: undefined, etag };
    }
    if (answer.statusCode !== 200) throw new FetchFault(`expected status 200, got ${answer.statusCode}`);
    if (Number(answer.headers['content-length'] ?? 0) > limits.maxBytes) throw tooLarge(limits.maxBytes);
    return { content: limited(answer, limits.maxBytes, deadline), etag: answer.headers.etag };
  } catch (error) {
    deadline.end();
    throw asFault(error);
  }
}

function ask(target: URL, addresses: readonly LookupAddress[], etag: string | undefined): ClientRequest {
  const [{ address, family } = { address: '', family: 0 }] = addresses;
  const options: RequestOptions = {
    method: 'GET',
    agent: false,
    headers: {
      accept: 'application/samlmetadata+xml, application/xml;q=0.9, text/xml;q=0.8',
      'accept-encoding': 'gzip',
      ...(etag !== undefined && { 'if-none-match': etag }),
    },
    // Called with the name, answers with the addresses that were checked.
    lookup: (_hostname, { all }, callback) =>
      all ? callback(null, [...addresses]) : callback(null, address, family),
  };
  const sent = target.protocol === 'https:' ? overHttps(target, options) : overHttp(target, options);
  // Told to whoever waits; after that there is nobody left to tell.
  sent.on('error', () => {});
  sent.end();
  return sent;
}

async function* limited(
  answer: IncomingMessage,
  maxBytes: number,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    const isPacked = answer.headers['content-encoding'] === 'gzip';
    const unpacked = isPacked ? answer.pipe(createGunzip()) : answer;
    if (isPacked) answer.on('error', (error) => unpacked.destroy(error));
    for await (const chunk of unpacked as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw deadline.fault ?? asFault(error);
  } finally {
    deadline.end();
  }
}

function tooLarge(maxBytes: number): FetchFault {
  return new FetchFault(`it has more than ${maxBytes} bytes`);
}

function asFault(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return new FetchFault(`it cannot be fetched: ${String(error.code)}`);
}
