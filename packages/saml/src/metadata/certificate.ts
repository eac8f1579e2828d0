import { X509Certificate } from 'node:crypto';
import type { DescribedCertificate } from '@watchword/protocol';
import { curves } from '../signature/algorithms.ts';

const minBits = 2048;

/**
 * Why the key of a certificate cannot verify signatures; `undefined` when it can. The dates and the issuer of the certificate
 * are not checked: the metadata makes the key trusted (SAML V2.0 Metadata Interoperability Profile).
 *
 * @param certificate DER, base64
 */
export function certificateProblem(certificate: string): string | undefined {
  const { publicKey, problem } = publicKeyOf(certificate);
  if (publicKey === undefined) return problem;
  if (publicKey.asymmetricKeyType === 'ec') {
    const curve = publicKey.asymmetricKeyDetails?.namedCurve ?? 'unknown';
    return curves.includes(curve)
      ? undefined
      : `it has a certificate with a key on the curve ${curve}; expected P-256, P-384 or P-521`;
  }
  if (publicKey.asymmetricKeyType !== 'rsa') {
    return `it has a certificate with a key of type ${publicKey.asymmetricKeyType}; expected rsa or ec`;
  }
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0;
  return bits < minBits
    ? `it has a certificate with a key of ${bits} bits; expected at least ${minBits}, because signatures of shorter keys can be forged`
    : undefined;
}

/** Epoch milliseconds of `notAfter` (RFC 5280 §4.1.2.5); `undefined` when the certificate cannot be read. */
export function certificateEnd(certificate: string): number | undefined {
  try {
    return new X509Certificate(Buffer.from(certificate, 'base64')).validToDate.getTime();
  } catch {
    return undefined;
  }
}

/** What administrators see of a certificate; nothing of one that cannot be read. */
export function describedCertificates(certificate: string): DescribedCertificate[] {
  try {
    const { subject, fingerprint256, validToDate } = new X509Certificate(Buffer.from(certificate, 'base64'));
    return [{ subject, fingerprint: fingerprint256, validUntil: validToDate.getTime() }];
  } catch {
    return [];
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
    return { problem: 'it has a certificate that cannot be read' };
  }
}
