import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const usual = getCACertificates('default');

/** Trusts these certificates in this process, and no earlier ones, as NODE_EXTRA_CA_CERTS does in others, until it is disposed of. */
export function trustCertificates(...certificates: readonly string[]): Disposable {
  setDefaultCACertificates([...usual, ...certificates]);
  return { [Symbol.dispose]: () => setDefaultCACertificates(usual) };
}
