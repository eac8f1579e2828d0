import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignedXml } from 'xml-crypto';
import { type ReadMetadata, readMetadata } from '../../src/metadata/reader.ts';
import type { TestKey } from './certificate.ts';

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

/** An EntityDescriptor, as part of a document or as one of its own. */
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

/** Reads metadata in pieces of some bytes. */
export function readText(
  xml: string | Buffer,
  keys: readonly TestKey[] = [],
  pieceLength = 1000,
): Promise<ReadMetadata> {
  const bytes = Buffer.from(xml);
  async function* pieces() {
    for (let start = 0; start < bytes.length; start += pieceLength)
      yield bytes.subarray(start, start + pieceLength);
  }
  return readMetadata(
    pieces(),
    keys.map(({ certificate }) => certificate),
    { allowSha1: false },
  );
}

export interface TestSite extends AsyncDisposable {
  readonly url: string;
  readonly requests: IncomingMessage[];
}

/** A web server on loopback. */
export async function startSite(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<TestSite> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function hash(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) | 0;
  return sum;
}
