import { CompactSign } from 'jose/jws/compact/sign';
import { compactVerify } from 'jose/jws/compact/verify';
import { LruMap } from '../lookup/token-cache.ts';
import { platform } from '../platform/platform.ts';
import type { Clocks } from '../platform/system.ts';

/** Milliseconds. A client asks again so often. */
const lifetime = 300_000;
const header = { alg: 'HS256', typ: 'dpop-nonce' };

/** Nonces for proofs (RFC 9449 §9), which all processes with the secret accept: times with a MAC, so that none is stored. */
export class Nonces {
  readonly #now: Clocks['now'];
  readonly #secret: Uint8Array;
  /** Clients send one nonce many times. */
  readonly #accepted = new LruMap<number>(1000);

  constructor(secret: string, { now }: Pick<Clocks, 'now'>) {
    this.#now = now;
    this.#secret = new platform.TextEncoder().encode(secret);
  }

  issue(): Promise<string> {
    const end = new platform.TextEncoder().encode(String(this.#now() + lifetime));
    return new CompactSign(end).setProtectedHeader(header).sign(this.#secret);
  }

  async isUsable(nonce: string): Promise<boolean> {
    const end = this.#accepted.get(nonce) ?? (await this.#read(nonce));
    if (end === undefined) return false;
    this.#accepted.set(nonce, end);
    return this.#now() < end;
  }

  /** When it ends; `undefined` for what nobody with the secret has made. */
  async #read(nonce: string): Promise<number | undefined> {
    try {
      const { payload, protectedHeader } = await compactVerify(nonce, this.#secret, {
        algorithms: ['HS256'],
      });
      return protectedHeader.typ === header.typ
        ? Number(new platform.TextDecoder('utf-8').decode(payload))
        : undefined;
    } catch {
      return undefined;
    }
  }
}
