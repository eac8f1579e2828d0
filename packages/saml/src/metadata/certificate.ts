import { X509Certificate } from 'node:crypto';
import { curves } from '../signature/algorithms.ts';

const minBits = 2048;

/**
 * Why a certificate cannot serve to check signatures; `undefined` when it can. Its dates and its issuer mean nothing:
 * what is trusted is the key, because the metadata has it.
 *
 * @param certificate DER, base64
 */
export function certificateFault(certificate: string): string | undefined {
  const { publicKey, fault } = publicKeyOf(certificate);
  if (publicKey === undefined) return fault;
  if (publicKey.asymmetricKeyType === 'ec') {
    const curve = publicKey.asymmetricKeyDetails?.namedCurve ?? 'unknown';
    return curves.includes(curve)
      ? undefined
      : `it has a certificate with a key on the curve ${curve}, and only P-256, P-384 and P-521 can be checked`;
  }
  if (publicKey.asymmetricKeyType !== 'rsa') {
    return `it has a certificate with a key of type ${publicKey.asymmetricKeyType}, and only rsa and ec can be checked`;
  }
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0;
  return bits < minBits
    ? `it has a certificate with a key of ${bits} bits, and less than ${minBits} can be forged`
    : undefined;
}

/** Epoch milliseconds after which the certificate was not meant to be used; `undefined` when it cannot be read. */
export function certificateEnd(certificate: string): number | undefined {
  try {
    return new X509Certificate(Buffer.from(certificate, 'base64')).validToDate.getTime();
  } catch {
    return undefined;
  }
}

export function toPem(certificate: string): string {
  const lines = certificate.match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function publicKeyOf(certificate: string) {
  try {
    return { publicKey: new X509Certificate(Buffer.from(certificate, 'base64')).publicKey };
  } catch {
    return { fault: 'it has a certificate that cannot be read' };
  }
}
