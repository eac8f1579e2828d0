import { SignedXml } from 'xml-crypto';
import { type TestKey, testKey } from './certificate.ts';

const namespaces =
  'xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" ' +
  'xmlns:mdui="urn:oasis:names:tc:SAML:metadata:ui" xmlns:shibmd="urn:mace:shibboleth:metadata:1.0" ' +
  'xmlns:mdattr="urn:oasis:names:tc:SAML:metadata:attribute" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';

export interface EntityFacts {
  readonly entityId: string;
  /** DER, base64. */
  readonly certificates: readonly string[];
  readonly use?: 'signing' | 'encryption' | undefined;
  readonly names?: Readonly<Record<string, string>>;
  readonly logo?: string;
  readonly keywords?: string;
  readonly scopes?: readonly string[];
  readonly isHidden?: boolean;
  readonly validUntil?: string;
  readonly sso?: string;
  readonly binding?: string;
}

/** An EntityDescriptor, as part of a document or as a document. */
export function entityXml(of: EntityFacts, isDocument = true): string {
  const { entityId, certificates, use, names = {}, logo, keywords, scopes = [], isHidden = false } = of;
  const { sso = `${entityId}/sso`, binding = 'HTTP-Redirect', validUntil } = of;
  const keys = certificates.map(
    (certificate) =>
      `<md:KeyDescriptor${use === undefined ? '' : ` use="${use}"`}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>\n${certificate}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
  );
  const uiInfo =
    Object.entries(names)
      .map(([language, name]) => `<mdui:DisplayName xml:lang="${language}">${name}</mdui:DisplayName>`)
      .join('') +
    (logo === undefined ? '' : `<mdui:Logo height="60" width="80">${logo}</mdui:Logo>`) +
    (keywords === undefined ? '' : `<mdui:Keywords xml:lang="en">${keywords}</mdui:Keywords>`);
  const hidden = isHidden
    ? '<md:Extensions><mdattr:EntityAttributes><saml:Attribute Name="http://macedir.org/entity-category"><saml:AttributeValue>http://refeds.org/category/hide-from-discovery</saml:AttributeValue></saml:Attribute></mdattr:EntityAttributes></md:Extensions>'
    : '';
  return (
    `<md:EntityDescriptor ${isDocument ? namespaces : ''} ID="_e${entityId.length}${Math.abs(hash(entityId))}" entityID="${entityId}"${validUntil === undefined ? '' : ` validUntil="${validUntil}"`}>` +
    `${hidden}<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">` +
    `<md:Extensions>${scopes.map((scope) => `<shibmd:Scope regexp="false">${scope}</shibmd:Scope>`).join('')}<mdui:UIInfo>${uiInfo}</mdui:UIInfo></md:Extensions>` +
    `${keys.join('')}<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${sso}"/>` +
    `</md:IDPSSODescriptor></md:EntityDescriptor>`
  );
}

/** An EntitiesDescriptor around entities, or groups of them. */
export function aggregateXml(inner: string, validUntil?: string, isDocument = true): string {
  const end = validUntil === undefined ? '' : ` validUntil="${validUntil}"`;
  return `<md:EntitiesDescriptor ${isDocument ? namespaces : ''} ID="_all"${end}>${inner}</md:EntitiesDescriptor>`;
}

export const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

export interface MetadataSigning {
  readonly digest?: string;
  readonly transforms?: readonly string[];
  readonly signature?: string;
  readonly canonicalization?: string;
  readonly inclusiveNamespaces?: readonly string[];
}

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** Signs a document with the signature as the first of its children, as federations do. */
export function signedMetadata(xml: string, { key }: TestKey, options: MetadataSigning = {}): string {
  const signature = new SignedXml({
    privateKey: key,
    signatureAlgorithm: options.signature ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: options.canonicalization ?? exclusive,
  });
  signature.addReference({
    xpath: '/*',
    digestAlgorithm: options.digest ?? 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: options.transforms ?? ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusive],
    inclusiveNamespacesPrefixList: [...(options.inclusiveNamespaces ?? [])],
  });
  signature.computeSignature(xml, { prefix: 'ds', location: { reference: '/*', action: 'prepend' } });
  return signature.getSignedXml();
}

/** Metadata as of a federation: entities of 3 KB with two certificates, names in several languages, a logo and domains. */
export function federationXml(entities: number): string {
  const certificates = Array.from({ length: 20 }, () => testKey('idp').certificateBase64);
  const at = (index: number) => certificates[index % certificates.length] ?? '';
  const all = Array.from({ length: entities }, (_, index) =>
    entityXml(
      {
        entityId: `https://idp${index}.example.org/idp/shibboleth`,
        certificates: [at(index), at(index + 1)],
        names: { en: `University of Place ${index}`, de: `Universität ${index}`, fr: `Université ${index}` },
        logo: `https://www${index}.example.org/logo.png`,
        keywords: `place uni${index} research education`,
        scopes: [`place${index}.example.org`, `students.place${index}.example.org`],
      },
      false,
    ),
  );
  return aggregateXml(all.join('\n'), inAnHour());
}

function hash(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) | 0;
  return sum;
}
