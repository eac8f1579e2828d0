import { encode } from 'jose/base64url';
import { type Platform, platform } from './platform.ts';

type Digest = (data: string | Uint8Array) => string | Promise<string>;

interface NodeCrypto {
  readonly hash?: (algorithm: string, data: string | Uint8Array, encoding: string) => string;
}

/**
 * SHA-256 of bytes, or of a text in UTF-8, in base64url. Node.js, Deno and Bun compute it at once (about 0.3 us for a token); where there is only
 * `SubtleCrypto`, which browsers have on https and localhost, it takes a turn of the event loop.
 */
export const sha256: Digest = nodeDigest() ?? webDigest;

/** `undefined` where the platform is not like Node.js. */
export function nodeDigest(process: Platform['process'] = platform.process): Digest | undefined {
  const { hash } = Object(process?.getBuiltinModule?.('node:crypto') ?? {}) as NodeCrypto;
  return hash && ((data) => hash('sha256', data, 'base64url'));
}

export async function webDigest(data: string | Uint8Array): Promise<string> {
  const { subtle } = platform.crypto ?? {};
  if (subtle === undefined) {
    throw new Error('Expected node:crypto or SubtleCrypto, found neither: serve the page over https');
  }
  const bytes = await subtle.digest(
    'SHA-256',
    typeof data === 'string' ? new platform.TextEncoder().encode(data) : data,
  );
  return encode(new Uint8Array(bytes));
}
