import { SAML } from '@node-saml/node-saml';
import { toPem } from '../metadata/certificate.ts';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import type { KeyPair } from '../options/keys.ts';
import { SamlRefusal } from '../refusal.ts';
import { signersOf } from '../signature/signers.ts';
import { decryptAssertion, undecipherable } from './decrypt.ts';
import type { ScreenedResponse, ScreenPolicy } from './screen.ts';
import { messageLimits } from './strict-xml.ts';

export interface VerifierDependencies {
  readonly policy: ScreenPolicy;
  readonly requireSigned: 'any' | 'assertion' | 'response' | 'both';
  readonly encryption: readonly KeyPair[];
}

/** Who this server is to the identity provider. */
export interface ServiceProvider {
  readonly entityId: string;
  /** The address that assertions are posted to. */
  readonly acs: string;
}

/**
 * Checks the signatures of a response; resolves with the XML of its assertion as it was signed. Every signature that is
 * there must be right, and one must be there. What an assertion says is checked afterwards, on that XML and nothing else.
 *
 * @throws SamlRefusal
 */
export async function verifyResponse(
  response: ScreenedResponse,
  provider: IdentityProvider,
  service: ServiceProvider,
  { requireSigned, encryption, policy }: VerifierDependencies,
): Promise<string> {
  const decrypted = response.encryptedAssertion && (await decryptAssertion(response, encryption, policy));
  const isAssertionSigned = decrypted?.isSigned ?? response.isAssertionSigned ?? false;
  if (!response.isSigned && !isAssertionSigned) {
    throw new SamlRefusal('signature', 'neither the response nor its assertion is signed');
  }
  const signers = findSigners([response.xml, ...(decrypted ? [decrypted.xml] : [])], provider);
  const saml = new SAML({
    callbackUrl: service.acs,
    issuer: service.entityId,
    idpCert: signers,
    wantAuthnResponseSigned: response.isSigned || requireSigned === 'response' || requireSigned === 'both',
    wantAssertionsSigned: isAssertionSigned || requireSigned === 'assertion' || requireSigned === 'both',
    // Both are checked in `assertion.ts`, by the server's clock and with a reason that an operator can act on.
    acceptedClockSkewMs: -1,
    audience: false,
    cacheProvider: noCache,
    ...(decrypted !== undefined && { decryptionPvk: decrypted.key }),
  });
  try {
    const { profile } = await saml.validatePostResponseAsync({
      SAMLResponse: Buffer.from(response.xml).toString('base64'),
    });
    const assertion = profile?.getAssertionXml?.();
    if (assertion !== undefined) return assertion;
  } catch (error) {
    throw refusalOf(error, decrypted !== undefined);
  }
  throw wrongSignature();
}

/** Nothing is remembered: what may happen once is decided in the database. */
export const noCache = {
  saveAsync: async () => null,
  getAsync: async () => null,
  removeAsync: async () => null,
};

/**
 * The certificates whose keys made the signatures. To check a whole document takes long enough to keep others waiting; who
 * has no key of the identity provider's does not get as far.
 */
function findSigners(documents: readonly string[], { certificates }: IdentityProvider): string[] {
  const pem = certificates.map(toPem);
  const signers = documents.flatMap((xml) => signersOf(xml, pem, messageLimits));
  const found = signers.filter((signer) => signer !== undefined);
  if (found.length < signers.length) throw wrongSignature();
  return [...new Set(found)];
}

function wrongSignature(): SamlRefusal {
  return new SamlRefusal(
    'signature',
    'no certificate of the identity provider made the signature, or what was signed was changed',
  );
}

function refusalOf(error: unknown, wasEncrypted: boolean): SamlRefusal {
  const message = error instanceof Error ? error.message : '';
  if (/^Error parsing/.test(message)) {
    return new SamlRefusal('time', 'the assertion lacks a time, or has one that is none');
  }
  if (wasEncrypted && !/^Invalid document signature/.test(message)) return undecipherable();
  return /signature/i.test(message)
    ? wrongSignature()
    : new SamlRefusal('structure', 'the assertion has not the form of one');
}
