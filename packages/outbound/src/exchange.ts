import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { connectionError } from './connection-error.ts';
import type { Deadline } from './deadline.ts';

/** One request to one URL. */
export interface Message {
  readonly url: URL;
  readonly method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/**
 * Sends a request to one of these addresses and to no other; resolves when the answer begins. The connection serves this
 * request only, and the deadline closes it.
 *
 * @throws OutboundError
 */
export async function exchange(
  message: Message,
  addresses: readonly LookupAddress[],
  certificateAuthorities: readonly string[] | undefined,
  deadline: Deadline,
): Promise<IncomingMessage> {
  const sent = send(message, addresses, certificateAuthorities);
  deadline.onEnd(() => sent.destroy());
  try {
    const [answer] = (await deadline.race(once(sent, 'response'))) as [IncomingMessage];
    return answer;
  } catch (error) {
    throw deadline.error ?? connectionError(message.url.host, error);
  }
}

function send(
  { url, method, headers, body }: Message,
  addresses: readonly LookupAddress[],
  certificateAuthorities: readonly string[] | undefined,
): ClientRequest {
  const [{ address, family } = { address: '', family: 0 }] = addresses;
  const options: RequestOptions = {
    method,
    agent: false,
    headers: { ...headers, ...(body !== undefined && { 'content-length': String(body.byteLength) }) },
    // Node.js calls this with the name and gets the addresses that were checked.
    lookup: (_hostname, { all }, callback) =>
      all ? callback(null, [...addresses]) : callback(null, address, family),
  };
  // Loaded here, because a server that sends no request starts faster without them (docs/adr/0083).
  const sent =
    url.protocol === 'https:'
      ? process.getBuiltinModule('node:https').request(url, withTls(options, certificateAuthorities))
      : process.getBuiltinModule('node:http').request(url, options);
  // The caller gets the error while it waits. An error after that has no reader.
  sent.on('error', () => {});
  sent.end(body);
  return sent;
}

/** `rejectUnauthorized` is set so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch verification off. */
function withTls(options: RequestOptions, certificateAuthorities: readonly string[] | undefined) {
  const ca = certificateAuthorities && { ca: [...certificateAuthorities] };
  return { ...options, ...ca, rejectUnauthorized: true };
}
