import { X509Certificate } from 'node:crypto';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import { SamlError } from '../saml-error.ts';
import { isSignature, type SignatureMethod } from '../signature/algorithms.ts';
import type { RedirectMessage } from './redirect-message.ts';

/** @throws SamlError unless a key of the identity provider signed the query of the message */
export function requireSignedQuery(
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
