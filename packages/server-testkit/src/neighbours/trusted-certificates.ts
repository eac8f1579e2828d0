import { setDefaultCACertificates } from 'node:tls';

/**
 * Trusts these certificates in this process, and no others, until it is disposed of; in other processes, NODE_EXTRA_CA_CERTS
 * does. No test asks a server of the internet, and reading the authorities of Node.js takes longer than a login.
 */
export function trustCertificates(...certificates: readonly string[]): Disposable {
  setDefaultCACertificates(certificates);
  return { [Symbol.dispose]: () => setDefaultCACertificates([]) };
}
