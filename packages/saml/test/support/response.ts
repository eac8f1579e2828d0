import { createHash, randomBytes, sign } from 'node:crypto';
import type { TestKey } from '@watchword/testkit/certificate';
import { SignedXml } from 'xml-crypto';
import { encrypt } from 'xml-encryption';

/** The facts of a response. Times are seconds from now. */
export interface ResponseFacts {
  readonly issuer: string;
  /** Of the assertion, where it is another one. */
  readonly assertionIssuer: string;
  readonly acs: string;
  readonly destination: string | undefined;
  readonly recipient: string | undefined;
  readonly audience: string | undefined;
  readonly inResponseTo: string | undefined;
  /** Of the assertion, where it is another one. */
  readonly assertionInResponseTo: string | undefined;
  readonly notBefore: number | string | undefined;
  readonly notOnOrAfter: number | string | undefined;
  readonly confirmationEnd: number | string | undefined;
  readonly authnInstant: number | string;
  readonly responseId: string;
  readonly assertionId: string;
  readonly uid: string;
  readonly nameId: string;
  readonly nameIdFormat: string | undefined;
  readonly method: string;
  readonly status: string;
}

export type Sloppy<Facts> = { readonly [Key in keyof Facts]?: Facts[Key] | undefined };

/** @param more facts to replace; `undefined` leaves one out */
export function facts(
  base: Pick<ResponseFacts, 'issuer' | 'acs' | 'audience' | 'inResponseTo'>,
  more: Sloppy<ResponseFacts> = {},
): ResponseFacts {
  const given = { ...base, ...more };
  return {
    assertionIssuer: given.issuer,
    destination: given.acs,
    recipient: given.acs,
    assertionInResponseTo: given.inResponseTo,
    notBefore: -10,
    notOnOrAfter: 300,
    confirmationEnd: 300,
    authnInstant: -1,
    responseId: newId(),
    assertionId: newId(),
    uid: 'emma',
    nameId: 'n-1',
    nameIdFormat: undefined,
    method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
    status: '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/>',
    ...given,
  } as ResponseFacts;
}

const namespaces =
  'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';

export function responseXml(of: ResponseFacts, assertion = assertionXml(of)): string {
  return (
    `<samlp:Response ${namespaces} ID="${of.responseId}" Version="2.0" IssueInstant="${isoTime(0)}"` +
    `${attribute('Destination', of.destination)}${attribute('InResponseTo', of.inResponseTo)}>` +
    `<saml:Issuer>${of.issuer}</saml:Issuer><samlp:Status>${of.status}</samlp:Status>${assertion}</samlp:Response>`
  );
}

export function assertionXml(of: ResponseFacts): string {
  const audience =
    of.audience === undefined
      ? ''
      : `<saml:AudienceRestriction><saml:Audience>${of.audience}</saml:Audience></saml:AudienceRestriction>`;
  return (
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${of.assertionId}" Version="2.0" IssueInstant="${isoTime(0)}">` +
    `<saml:Issuer>${of.assertionIssuer}</saml:Issuer>` +
    `<saml:Subject><saml:NameID${attribute('Format', of.nameIdFormat)}>${of.nameId}</saml:NameID><saml:SubjectConfirmation Method="${of.method}">` +
    `<saml:SubjectConfirmationData${attribute('NotOnOrAfter', of.confirmationEnd)}${attribute('Recipient', of.recipient)}${attribute('InResponseTo', of.assertionInResponseTo)}/>` +
    `</saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions${attribute('NotBefore', of.notBefore)}${attribute('NotOnOrAfter', of.notOnOrAfter)}>${audience}</saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${isoTime(of.authnInstant)}" SessionIndex="s-1"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    `<saml:AttributeStatement><saml:Attribute Name="urn:mace:dir:attribute-def:uid"><saml:AttributeValue>${of.uid}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>` +
    `</saml:Assertion>`
  );
}

export interface SigningOptions {
  readonly signatureAlgorithm?: string;
  readonly digestAlgorithm?: string;
  readonly transforms?: readonly string[];
  readonly canonicalization?: string;
  /** The key whose certificate is in KeyInfo; default: the signing key. */
  readonly keyInfo?: TestKey;
  /** The secret of an HMAC. */
  readonly hmacSecret?: string;
  /** Signs by Node.js instead of xml-crypto: the hash, and the encoding of r and s for ECDSA. */
  readonly hash?: string;
  readonly dsaEncoding?: 'ieee-p1363' | 'der';
}

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** Signs the first element of this name, with the signature after its Issuer, as the SAML schema requires. */
export function signed(
  xml: string,
  name: 'Response' | 'Assertion',
  key: TestKey,
  options: SigningOptions = {},
): string {
  const element = name === 'Response' ? '/*' : `//*[local-name(.)='Assertion']`;
  const signature = new SignedXml({
    privateKey: options.hmacSecret ?? key.key,
    publicCert: (options.keyInfo ?? key).certificate,
    signatureAlgorithm: options.signatureAlgorithm ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: options.canonicalization ?? exclusive,
  });
  if (options.hmacSecret !== undefined) signature.enableHMAC();
  if (options.hash !== undefined) signature.SignatureAlgorithms = signingBy(key, options);
  Object.assign(signature.HashAlgorithms, { [sha384]: Sha384 });
  signature.addReference({
    xpath: element,
    digestAlgorithm: options.digestAlgorithm ?? 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: options.transforms ?? ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusive],
  });
  const reference = `${element}/*[local-name(.)='Issuer']`;
  signature.computeSignature(xml, { prefix: 'ds', location: { reference, action: 'after' } });
  return signature.getSignedXml();
}

const sha384 = 'http://www.w3.org/2001/04/xmldsig-more#sha384';

class Sha384 {
  getAlgorithmName = () => sha384;
  getHash = (xml: string) => createHash('sha384').update(xml).digest('base64');
}

function signingBy({ key }: TestKey, options: SigningOptions): SignedXml['SignatureAlgorithms'] {
  const { signatureAlgorithm = '', hash, dsaEncoding = 'ieee-p1363' } = options;
  const algorithm = class {
    getAlgorithmName = () => signatureAlgorithm;
    getSignature = (signedInfo: string) =>
      sign(hash, Buffer.from(signedInfo), { key, dsaEncoding }).toString('base64');
    verifySignature = () => false;
  };
  return { [signatureAlgorithm]: algorithm } as unknown as SignedXml['SignatureAlgorithms'];
}

export interface EncryptionOptions {
  readonly data?: string;
  readonly key?: string;
  /** Names of hashes. */
  readonly digest?: string;
  readonly mask?: string;
  readonly content?: string;
}

/** Replaces the assertion with an EncryptedAssertion. */
export function encrypted(xml: string, recipient: TestKey, options: EncryptionOptions = {}): Promise<string> {
  const assertion = partOf(xml, 'saml:Assertion');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  encrypt(
    options.content ?? assertion,
    {
      rsa_pub: recipient.publicKey,
      pem: recipient.certificate,
      encryptionAlgorithm: options.data ?? 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
      keyEncryptionAlgorithm: options.key ?? 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
      keyEncryptionDigest: options.digest,
      keyEncryptionMgf: options.mask,
      disallowEncryptionWithInsecureAlgorithm: false,
      warnInsecureAlgorithm: false,
    } as Parameters<typeof encrypt>[1],
    (error, result) => (error === null ? resolve(result) : reject(error)),
  );
  return promise.then((data) =>
    xml.replace(assertion, () => `<saml:EncryptedAssertion>${data}</saml:EncryptedAssertion>`),
  );
}

/** The text of the first element with this qualified name, which must not contain another one of that name. */
export function partOf(xml: string, name: string): string {
  const [part] = new RegExp(`<${name}[ >][\\s\\S]*?</${name}>`).exec(xml) ?? [];
  if (part === undefined) throw new Error(`there is no ${name}`);
  return part;
}

export function encoded(xml: string | Buffer): string {
  return Buffer.from(xml).toString('base64');
}

export function newId(): string {
  return `_${randomBytes(16).toString('hex')}`;
}

function attribute(name: string, value: number | string | undefined): string {
  if (value === undefined) return '';
  const isTime = name.startsWith('Not');
  return ` ${name}="${isTime ? isoTime(value) : value}"`;
}

/** Converts seconds from now to a time; a text stays unchanged. */
export function isoTime(value: number | string): string {
  return typeof value === 'string' ? value : new Date(Date.now() + value * 1000).toISOString();
}
