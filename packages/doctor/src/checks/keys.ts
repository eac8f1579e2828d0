import { createPublicKey, type JsonWebKeyInput } from 'node:crypto';
import { broken, type Finding, ok, skipped } from '../finding.ts';
import type { Check, Reached } from '../patient.ts';
import { jsonOf, shownReply } from '../send.ts';
import { isWithin } from '../within.ts';

/** Whether clients can read the keys with which they verify ID tokens and JWT access tokens. */
export const keys: Check = {
  name: 'keys',
  async run({ baseUrl, metadata, send }: Reached): Promise<readonly Finding[]> {
    const url = String(metadata.jwks_uri);
    if (!isWithin(baseUrl, url)) return [skipped(`no keys are read at ${url}, which is another address`)];
    const reply = await send(url);
    const { keys: list } = jsonOf(reply);
    const expected = 'a JWKS with a readable key for each algorithm of the metadata (RFC 7517)';
    const advice =
      '"watchword keys list" shows the keys of the server, and "watchword check" whether they can be used';
    if (!Array.isArray(list)) {
      return [broken(`${url} answers with ${shownReply(reply)}`, { expected, advice })];
    }
    const algorithms = [metadata.id_token_signing_alg_values_supported ?? []].flat().map(String);
    const readable = new Set(list.filter(isReadable).map(({ alg }: { alg?: string }) => alg));
    const missing = algorithms.filter((algorithm) => !readable.has(algorithm));
    if (missing.length > 0) {
      return [broken(`the JWKS has no readable key for ${missing.join(', ')}`, { expected, advice })];
    }
    return [
      ok(`the JWKS has ${list.length} ${list.length === 1 ? 'key' : 'keys'}, for ${algorithms.join(', ')}`),
    ];
  },
};

function isReadable(key: unknown): boolean {
  try {
    createPublicKey({ key: key as JsonWebKeyInput['key'], format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}
