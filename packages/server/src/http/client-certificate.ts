import proxyAddress from '@fastify/proxy-addr';
import { type CertificateForm, certificateThumbprint } from '@watchword/protocol';
import type { RequestSource } from './source-address.ts';

/** Where a proxy names the certificate of a client. */
export interface CertificateHeader {
  readonly name: string;
  readonly form: CertificateForm;
}

/**
 * Makes the function that finds the thumbprint of the certificate with which a request came; `undefined` if no trusted proxy names one. From
 * any other peer the header is ignored.
 *
 * @param trustedProxies addresses and ranges such as `10.0.0.0/8`
 */
export function clientCertificates(
  { name, form }: CertificateHeader,
  trustedProxies: readonly string[],
): (request: RequestSource) => string | undefined {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  const field = name.toLowerCase();
  return ({ headers, socket }) => {
    const value = headers[field];
    if (typeof value !== 'string' || !isTrusted(socket.remoteAddress ?? '', 0)) return undefined;
    const thumbprint = certificateThumbprint(value, form);
    // In Node.js it is there at once.
    return typeof thumbprint === 'string' ? thumbprint : undefined;
  };
}
