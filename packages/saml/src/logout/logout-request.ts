import { SAML } from '@node-saml/node-saml';
import type { SamlDependencies } from '../dependencies.ts';
import { newId, noCache } from '../login/authn-request.ts';
import type { LinkedSession } from '../login/session-link.ts';
import { toPem } from '../metadata/certificate.ts';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import type { KeyPair } from '../options/keys.ts';
import type { RedirectMessage } from './redirect-message.ts';

/**
 * The URL of a LogoutRequest that ends the session at the identity provider too. `undefined` when the identity provider has
 * no single logout, or this server has no signing key.
 */
export async function logoutUrl(data: string, deps: SamlDependencies): Promise<string | undefined> {
  const { directory, services, options } = deps;
  const { provider: entityId, nameId, sessionIndex }: LinkedSession = JSON.parse(data);
  const provider = directory.find(entityId, services.clock.now());
  if (provider?.logout === undefined || options.signing === undefined) return undefined;
  const saml = logoutSaml(provider, provider.logout.request, options.signing, deps);
  const user = {
    issuer: entityId,
    nameID: nameId.value,
    nameIDFormat: nameId.format ?? unspecified,
    ...(nameId.nameQualifier !== undefined && { nameQualifier: nameId.nameQualifier }),
    ...(nameId.spNameQualifier !== undefined && { spNameQualifier: nameId.spNameQualifier }),
    ...(sessionIndex !== undefined && { sessionIndex }),
  };
  return saml.getLogoutUrlAsync(user, '', {});
}

/** The URL of a LogoutResponse: the sessions at this server have ended. */
export function logoutAnswerUrl(
  { root, relayState }: Pick<RedirectMessage, 'root' | 'relayState'>,
  provider: IdentityProvider,
  destination: string,
  signing: KeyPair,
  deps: SamlDependencies,
): Promise<string> {
  const request = {
    ID: root.attributes.get('ID') ?? '',
    issuer: provider.entityId,
    // A LogoutResponse has only the ID of the request.
    nameID: '',
    nameIDFormat: '',
  };
  const saml = logoutSaml(provider, destination, signing, deps);
  return saml.getLogoutResponseUrlAsync(request, relayState, {}, true);
}

/** Makes and signs logout messages. */
function logoutSaml(
  provider: IdentityProvider,
  destination: string,
  signing: KeyPair,
  { addresses, services }: SamlDependencies,
): SAML {
  const { entityId, acs } = addresses;
  return new SAML({
    callbackUrl: acs,
    issuer: entityId,
    idpCert: provider.certificates.map(toPem),
    entryPoint: destination,
    logoutUrl: destination,
    generateUniqueId: () => newId(services.random),
    privateKey: signing.key,
    publicCert: signing.certificate,
    signatureAlgorithm: 'sha256',
    cacheProvider: noCache,
  });
}

const unspecified = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
