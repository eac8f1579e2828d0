import { createHmac } from 'node:crypto';

/** An app for one-time codes, as people have one: it reads the address of a QR code (RFC 6238). */
export class AuthenticatorApp {
  readonly #key: Buffer;
  readonly #period: number;
  readonly #digits: number;
  /** What the app shows beside the code. */
  readonly label: string;

  constructor(uri: string) {
    const { protocol, host, pathname, searchParams } = new URL(uri);
    if (`${protocol}//${host}` !== 'otpauth://totp') throw new Error(`expected otpauth://totp, got ${uri}`);
    this.label = decodeURIComponent(pathname.slice(1));
    this.#key = fromBase32(searchParams.get('secret') ?? '');
    this.#period = Number(searchParams.get('period'));
    this.#digits = Number(searchParams.get('digits'));
  }

  /** The app that opens the link of a page. */
  static of({ html }: { readonly html: string }): AuthenticatorApp {
    const [, uri = ''] = /href="(otpauth:[^"]*)"/.exec(html) ?? [];
    return new AuthenticatorApp(uri.replaceAll('&amp;', '&'));
  }

  /** @param steps from now */
  code(steps = 0): string {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / this.#period) + steps));
    const digest = createHmac('sha1', this.#key).update(counter).digest();
    const number = digest.readUInt32BE(digest.readUInt8(19) & 0xf) & 0x7fff_ffff;
    return String(number % 10 ** this.#digits).padStart(this.#digits, '0');
  }
}

function fromBase32(text: string): Buffer {
  let bits = 0n;
  for (const letter of text) bits = bits * 32n + BigInt('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter));
  return Buffer.from(bits.toString(16).padStart((text.length * 5) / 4, '0'), 'hex');
}
