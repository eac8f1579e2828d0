import { once } from 'node:events';
import { isIP } from 'node:net';
import { checkServerIdentity, connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { isLoopbackHost } from '@watchword/protocol';
import { broken, type Finding, ok, warning } from '../finding.ts';
import type { Patient } from '../patient.ts';

// Milliseconds.
const usualTimeout = 5000;
const day = 86_400_000;
/** Days. Tools that renew certificates do it 30 days before the end, so something is wrong after that. */
const expiresSoon = 14;

/** The certificate as clients see it. Without TLS only a loopback host is right. @param timeout milliseconds of the handshake */
export async function tlsFindings(
  { baseUrl, clock }: Pick<Patient, 'baseUrl' | 'clock'>,
  timeout = usualTimeout,
): Promise<readonly Finding[]> {
  const url = new URL(baseUrl);
  if (url.protocol === 'http:') return [withoutTls(url)];
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const socket = connect({
    host,
    port: Number(url.port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    // The certificate is examined here, so that each thing that is wrong can be named.
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(timeout) });
    return certificateFindings(socket, host, clock.now());
  } catch (error) {
    return tlsFailure(error, url, timeout);
  } finally {
    socket.destroy();
  }
}

function withoutTls({ hostname, origin }: URL): Finding {
  if (isLoopbackHost(hostname)) return ok(`${origin} is a loopback host, which needs no TLS`);
  return broken(`${origin} has no TLS: passwords and tokens can be read on the way`, {
    expected: 'a base URL with https (RFC 6749 section 3.1)',
    advice: 'let a proxy provide TLS, and set baseUrl to its https address',
  });
}

/** A connection that fails before TLS begins is for the check of the address. */
function tlsFailure(error: unknown, { host }: URL, timeout: number): readonly Finding[] {
  const { code = '', name, message } = error as NodeJS.ErrnoException;
  if (!/^(?:EPROTO|ERR_SSL_|ERR_TLS_)/.test(code) && name !== 'AbortError') return [];
  const found = name === 'AbortError' ? `no TLS handshake within ${timeout / 1000} s` : (code ?? message);
  return [
    broken(`TLS with ${host} failed: ${found}`, {
      expected: 'a handshake with TLS 1.2 or 1.3',
      advice: `check that the proxy provides TLS at ${host}, and which protocol versions it permits`,
    }),
  ];
}

function certificateFindings(socket: TLSSocket, host: string, now: number): readonly Finding[] {
  const certificate = socket.getPeerCertificate(true);
  const problems = [...chainProblems(socket, certificate), ...nameProblems(host, certificate)];
  if (problems.length > 0) return problems;
  const days = Math.floor((Date.parse(certificate.valid_to) - now) / day);
  const found = `the certificate is valid for ${host} and for ${days} more days; ${socket.getProtocol()}`;
  if (days >= expiresSoon) return [ok(found)];
  return [
    warning(found, {
      expected: `a certificate that is valid for at least ${expiresSoon} more days`,
      advice: 'renew it, and find out why it was not renewed by itself',
    }),
  ];
}

/** Node.js names the first thing that is wrong with the chain. */
function chainProblems(
  socket: TLSSocket,
  { valid_to, valid_from, issuer }: DetailedPeerCertificate,
): Finding[] {
  const code = String(socket.authorizationError ?? '');
  if (code === '' || code === 'ERR_TLS_CERT_ALTNAME_INVALID') return [];
  const expected = 'a valid certificate from an authority that clients trust';
  const { CN = 'unknown' } = issuer ?? {};
  return [
    broken(`the certificate is from ${valid_from} to ${valid_to}, of the authority ${CN}: ${code}`, {
      expected,
      advice: adviceFor[code] ?? 'install a valid certificate in the proxy',
    }),
  ];
}

function nameProblems(host: string, certificate: DetailedPeerCertificate): Finding[] {
  const problem = checkServerIdentity(host, certificate);
  if (problem === undefined) return [];
  const names = certificate.subjectaltname ?? 'no name';
  return [
    broken(`the certificate is for ${names}`, {
      expected: `a certificate for ${host}`,
      advice: `install a certificate for ${host} in the proxy, or set baseUrl to a name that the certificate has`,
    }),
  ];
}

const privateAuthority =
  'clients do not trust this certificate. Install one of a public authority. If it is of an authority of your own, which every client trusts, run the command with NODE_EXTRA_CA_CERTS=<its PEM file>';
const incompleteChain = `let the proxy send the intermediate certificates too (often fullchain.pem). Otherwise ${privateAuthority}`;
const adviceFor: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'renew the certificate, and let the proxy load the new one',
  CERT_NOT_YET_VALID: 'check the clock of this machine, and whether the right certificate is installed',
  DEPTH_ZERO_SELF_SIGNED_CERT: privateAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: privateAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: incompleteChain,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: incompleteChain,
  UNABLE_TO_GET_ISSUER_CERT: incompleteChain,
};
