import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { rsaKey } from './rsa-key.ts';

/** A key with a self-signed certificate, both PEM. */
export interface TestKey {
  readonly key: string;
  readonly certificate: string;
  /** DER, base64. */
  readonly certificateBase64: string;
  /** PEM. */
  readonly publicKey: string;
}

export interface CertificateOptions {
  readonly bits?: number;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  readonly type?: 'rsa' | 'ec';
  /** Of a key of type `ec`. */
  readonly curve?: string;
}

/** Makes a key and a certificate for it (RFC 5280 §4.1). The same name returns the same RSA key, each time with a new certificate. */
export function testKey(name: string, options: CertificateOptions = {}): TestKey {
  const { bits = 2048, type = 'rsa', curve = 'P-256' } = options;
  const privateKey =
    type === 'rsa' ? rsaKey(name, bits) : generateKeyPairSync('ec', { namedCurve: curve }).privateKey;
  const der = certificateOf(privateKey, name, options);
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: pem('CERTIFICATE', der),
    certificateBase64: der.toString('base64'),
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(),
  };
}

function certificateOf(
  privateKey: KeyObject,
  name: string,
  { notBefore = new Date('2020-01-01'), notAfter = new Date('2049-01-01'), type = 'rsa' }: CertificateOptions,
): Buffer {
  const algorithm =
    type === 'rsa'
      ? sequence(oid('1.2.840.113549.1.1.11'), Buffer.from([0x05, 0x00]))
      : sequence(oid('1.2.840.10045.4.3.2'));
  const subject = sequence(tlv(0x31, sequence(oid('2.5.4.3'), tlv(0x0c, Buffer.from(name)))));
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    subject,
    sequence(time(notBefore), time(notAfter)),
    subject,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', body, privateKey);
  return sequence(body, algorithm, tlv(0x03, Buffer.concat([Buffer.from([0]), signature])));
}

function tlv(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const bytes =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = rest.flatMap((part) => {
    const septets = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) septets.unshift((left & 0x7f) | 0x80);
    return septets;
  });
  return tlv(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

function time(date: Date): Buffer {
  const text = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return tlv(0x17, Buffer.from(text.slice(2)));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
