import { SAML } from '@node-saml/node-saml';
import { toPem } from '../metadata/certificate.ts';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import type { KeyPair } from '../options/keys.ts';
import { noCache } from '../requests/authn-request.ts';
import { newId } from '../requests/identifiers.ts';
import type { SamlWorld } from '../world.ts';
import type { LinkedSession } from './session-link.ts';

/** Where the browser goes so that the session at the identity provider ends too; `undefined` when there is no way. */
export async function logoutUrl(data: string, world: SamlWorld): Promise<string | undefined> {
  const { directory, services, options } = world;
  const { provider: entityId, nameId, sessionIndex }: LinkedSession = JSON.parse(data);
  const provider = directory.find(entityId, services.clock.now());
  if (provider?.logout === undefined || options.signing === undefined) return undefined;
  const saml = logoutSaml(provider, provider.logout.request, options.signing, world);
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

/** Signs, or checks the signatures of, messages that are about the end of sessions. */
export function logoutSaml(
  provider: IdentityProvider,
  destination: string,
  signing: KeyPair,
  { addresses, services, options }: SamlWorld,
): SAML {
  const { entityId, acs } = addresses();
  const [newest] = options.encryption;
  return new SAML({
    callbackUrl: acs,
    issuer: entityId,
    idpIssuer: provider.entityId,
    idpCert: provider.certificates.map(toPem),
    entryPoint: destination,
    logoutUrl: destination,
    generateUniqueId: () => newId(services.random),
    privateKey: signing.key,
    publicCert: signing.certificate,
    signatureAlgorithm: 'sha256',
    acceptedClockSkewMs: options.clockSkew,
    cacheProvider: noCache,
    ...(newest !== undefined && { decryptionPvk: newest.key }),
  });
}

const unspecified = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
