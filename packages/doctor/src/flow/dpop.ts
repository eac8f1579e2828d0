import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { Clock } from '@watchword/protocol';
import { SignJWT } from 'jose';
import { jsonOf, type Reply } from '../send.ts';

type Headers = Readonly<Record<string, string>>;

export interface ProvenRequest {
  readonly method: string;
  readonly url: string;
  /** Of a request that presents one. */
  readonly accessToken?: string;
  /** Sends it with the headers of a proof. */
  send(headers: Headers): Promise<Reply>;
}

/** Sends requests with proofs of one key, which this flow alone has (RFC 9449). */
export function dpopSender(clock: Clock): (request: ProvenRequest) => Promise<Reply> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty = '', crv = '', x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const header = { alg: 'ES256', typ: 'dpop+jwt', jwk: { kty, crv, x, y } };
  const headersOf = async ({ method: htm, url: htu, accessToken }: ProvenRequest, nonce?: string) => {
    const ath = accessToken && createHash('sha256').update(accessToken).digest('base64url');
    const claims = { htm, htu, jti: randomUUID(), ...(ath && { ath }), ...(nonce && { nonce }) };
    const iat = Math.floor(clock.now() / 1000);
    return { dpop: await new SignJWT({ ...claims, iat }).setProtectedHeader(header).sign(privateKey) };
  };
  return async (request) => {
    const reply = await request.send(await headersOf(request));
    const nonce = reply.headers['dpop-nonce'];
    return nonce !== undefined && asksForNonce(reply)
      ? request.send(await headersOf(request, String(nonce)))
      : reply;
  };
}

/** RFC 9449 §8, §9. */
function asksForNonce(reply: Reply): boolean {
  const challenge = String(reply.headers['www-authenticate']);
  return jsonOf(reply).error === 'use_dpop_nonce' || challenge.includes('use_dpop_nonce');
}
