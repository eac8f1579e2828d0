import { decode } from 'jose/base64url';
import { sha256 } from './sha256.ts';

/**
 * How a proxy writes the certificate of a client into a header. `pem`: percent-encoded or not, as `$ssl_client_escaped_cert` of nginx.
 * `rfc9440`: `Client-Cert`. `base64`: DER, as `{http.request.tls.client.certificate_der_base64}` of Caddy. `xfcc`:
 * `x-forwarded-client-cert` of Envoy, with the key `Cert`.
 */
export const certificateForms = ['pem', 'rfc9440', 'base64', 'xfcc'] as const;

export type CertificateForm = (typeof certificateForms)[number];

const maxLength = 16_384;

/**
 * The thumbprint of a certificate, as the confirmation `x5t#S256` has it (RFC 8705 §3.1); `undefined` if the value is not one certificate in
 * that form. Whether the certificate is to be trusted is the affair of the proxy.
 */
export function certificateThumbprint(
  value: string,
  form: CertificateForm,
): string | Promise<string> | undefined {
  const text = value.length <= maxLength ? base64Of(value, form) : undefined;
  const der = text === undefined ? undefined : derOf(text);
  return der && sha256(der);
}

function base64Of(value: string, form: CertificateForm): string | undefined {
  switch (form) {
    case 'pem':
      return pemContent(value);
    case 'rfc9440':
      return /^:([A-Za-z\d+/]+=*):$/.exec(value)?.[1];
    case 'base64':
      return value;
    case 'xfcc':
      return pemContent(certificateOfElement(value) ?? '');
  }
}

function pemContent(value: string): string | undefined {
  try {
    const pem = /^\s*-----BEGIN CERTIFICATE-----([A-Za-z\d+/=\s]+)-----END CERTIFICATE-----\s*$/;
    return pem.exec(decodeURIComponent(value))?.[1]?.replaceAll(/\s/g, '');
  } catch {
    return undefined;
  }
}

/** Of one element alone: of several, each is of another connection. What the client writes into its subject is in quotes. */
function certificateOfElement(value: string): string | undefined {
  const pairs = [...value.matchAll(/([A-Za-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^",;]*))(?:;|$)/gy)];
  const isWhole = pairs.reduce((length, [pair]) => length + pair.length, 0) === value.length;
  const found = pairs.filter(([, name]) => name?.toLowerCase() === 'cert');
  return isWhole && found.length === 1 ? (found[0]?.[2] ?? found[0]?.[3]) : undefined;
}

/** The bytes of one SEQUENCE, with nothing after it. */
function derOf(base64: string): Uint8Array | undefined {
  try {
    const bytes = decode(base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''));
    const [tag, lengthOfLength, high = 0, low = 0] = bytes;
    const isWhole = tag === 0x30 && lengthOfLength === 0x82 && bytes.length === high * 256 + low + 4;
    return isWhole ? bytes : undefined;
  } catch {
    return undefined;
  }
}
