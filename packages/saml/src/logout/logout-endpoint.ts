import { X509Certificate } from 'node:crypto';
import type { ModuleAnswer, ModuleEndpoint, ProviderAttempt } from '@watchword/protocol';
import { paths } from '../addresses.ts';
import type { SamlDependencies } from '../dependencies.ts';
import { type LinkedSession, linkKey } from '../login/session-link.ts';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import { reportingErrors } from '../reporting-errors.ts';
import { decryptElement, decryptionError } from '../response/decrypt.ts';
import { requireEncryptionForm } from '../response/encryption-rules.ts';
import { simpleText } from '../response/simple-text.ts';
import { strictXml } from '../response/strict-xml.ts';
import { SamlError } from '../saml-error.ts';
import { isSignature, type SignatureMethod } from '../signature/algorithms.ts';
import { parseDateTime } from '../xml/dates.ts';
import { childOf, childrenOf, type XmlElement } from '../xml/element.ts';
import { saml, samlp } from '../xml/namespaces.ts';
import { logoutAnswerUrl } from './logout-request.ts';
import { type RedirectMessage, readRedirectRequest } from './redirect-message.ts';

// Milliseconds. A browser carries a request at once, so an older request is a replay.
const maxAge = 300_000;

/**
 * `GET {base}/saml/logout`, single logout by HTTP-Redirect (Profiles §4.4). A request of an identity provider ends the
 * sessions that it names. They are found in the database, because such requests often come in frames, without cookies.
 * A response to a request of this server ends nothing, because any site can link to one. The server leads the browser on to the
 * client that asked for the logout, or shows whether there is still a session.
 */
export function logoutEndpoint(deps: SamlDependencies): ModuleEndpoint {
  return {
    path: paths.logout,
    method: 'GET',
    answer: ({ parameters, query, requestId }) => {
      if (parameters.has('SAMLResponse')) {
        return Promise.resolve({ type: 'logout' });
      }
      const attempt: ProviderAttempt = { of: 'logout', requestId };
      return reportingErrors(attempt, deps, async () => {
        const message = readRedirectRequest(query);
        const issuer = childOf(message.root, saml, 'Issuer');
        attempt.provider = issuer && simpleText(issuer).trim();
        return endSessions(message, attempt.provider ?? '', deps);
      });
    },
  };
}

async function endSessions(
  message: RedirectMessage,
  issuer: string,
  deps: SamlDependencies,
): Promise<ModuleAnswer> {
  const { directory, services, options, addresses, log } = deps;
  const { root } = message;
  const now = services.clock.now();
  const provider = directory.find(issuer, now);
  if (provider?.logout === undefined || options.signing === undefined) {
    throw new SamlError('provider', 'the identity provider is not known, or has no single logout');
  }
  if (root.namespace !== samlp || root.name !== 'LogoutRequest') {
    throw new SamlError('structure', 'the message is not a LogoutRequest');
  }
  requireSignedQuery(message, provider);
  if (root.attributes.get('Destination') !== addresses.logout) {
    throw new SamlError('destination', `expected the destination ${addresses.logout}`);
  }
  const issued = requireNow(root, now, options.clockSkew);
  const person = await namedPerson(message, deps);
  const indexes = childrenOf(root, samlp, 'SessionIndex').map((index) => simpleText(index).trim());
  log('info', 'an identity provider ends login sessions', { provider: issuer });
  return {
    type: 'logout',
    key: linkKey(issuer, person),
    isMeant: (data) => {
      const { sessionIndex, since }: LinkedSession = JSON.parse(data);
      // A replayed request must not end a session that began after the request was issued.
      if (since > issued + options.clockSkew) return false;
      return indexes.length === 0 || sessionIndex === undefined || indexes.includes(sessionIndex);
    },
    location: await logoutAnswerUrl(message, provider, provider.logout.response, options.signing, deps),
  };
}

/** Epoch milliseconds of the issue. @throws SamlError unless the request is recent and has not expired (Core §3.7.1) */
function requireNow({ attributes }: XmlElement, now: number, clockSkew: number): number {
  const issued = parseDateTime(attributes.get('IssueInstant'));
  if (issued === undefined || Math.abs(now - issued) > maxAge + clockSkew) {
    throw new SamlError('time', 'the LogoutRequest was not issued recently; do the clocks agree?');
  }
  const end = attributes.get('NotOnOrAfter');
  if (end !== undefined && now - clockSkew >= (parseDateTime(end) ?? Number.NEGATIVE_INFINITY)) {
    throw new SamlError('time', 'the LogoutRequest has expired; do the clocks agree?');
  }
  return issued;
}

/** The name id of the user whom a LogoutRequest names, encrypted or not. @throws SamlError */
async function namedPerson(
  { xml, root }: Pick<RedirectMessage, 'xml' | 'root'>,
  { options }: Pick<SamlDependencies, 'options'>,
): Promise<string> {
  const [person, ...others] = root.children.filter(
    ({ namespace, name }) => namespace === saml && /^(?:BaseID|NameID|EncryptedID)$/.test(name),
  );
  if (person === undefined || person.name === 'BaseID' || others.length > 0) {
    throw new SamlError('structure', 'expected exactly one NameID or EncryptedID in the LogoutRequest');
  }
  if (person.name === 'NameID') return simpleText(person);
  requireEncryptionForm(person, options);
  const decrypted = strictXml(await decryptElement(xml, 'EncryptedID', options.encryption));
  if (decrypted.namespace !== saml || decrypted.name !== 'NameID') throw decryptionError();
  return simpleText(decrypted);
}

/** @throws SamlError unless a key of the identity provider signed the query of the message */
function requireSignedQuery(
  { signature, signedQuery, method }: RedirectMessage,
  { certificates }: IdentityProvider,
): void {
  const keys = certificates.map((each) => new X509Certificate(Buffer.from(each, 'base64')).publicKey);
  const isValid = keys.some((key) =>
    formsOf(method).some((form) => isSignature(signature, signedQuery, key, form)),
  );
  if (isValid) return;
  throw new SamlError('signature', 'the signature of the LogoutRequest is not by the identity provider');
}

/** By ECDSA, many write DER here, where the specification means r and s as in XML Signature (Bindings §3.4.4.1). */
function formsOf(method: SignatureMethod): readonly SignatureMethod[] {
  return method.keyType === 'ec' ? [method, { ...method, options: { dsaEncoding: 'der' } }] : [method];
}
