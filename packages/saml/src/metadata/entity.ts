import { parseDateTime } from '../xml/dates.ts';
import { childOf, childrenOf, type XmlElement } from '../xml/element.ts';
import { ds, httpPost, httpRedirect, md, mdattr, mdui, saml, samlp, shibmd, xml } from '../xml/namespaces.ts';
import { certificateProblem } from './certificate.ts';
import { type IdentityProvider, isEntityId, type Scope } from './identity-provider.ts';

/** An identity provider whose metadata has an error that prevents its use. */
export interface UnusableEntity {
  readonly entityId: string;
  readonly reason: string;
}

const hideFromDiscovery = 'http://refeds.org/category/hide-from-discovery';
const maxKeywordLength = 200;

/**
 * Reads an identity provider from an `EntityDescriptor`; `undefined` for an entity that is not an identity provider.
 *
 * @param validUntil epoch milliseconds: the expiry of the enclosing document
 */
export function readEntity(
  entity: XmlElement,
  validUntil: number,
): IdentityProvider | UnusableEntity | undefined {
  const entityId = entity.attributes.get('entityID') ?? '';
  const role = childrenOf(entity, md, 'IDPSSODescriptor').find((each) =>
    (each.attributes.get('protocolSupportEnumeration') ?? '').split(/\s+/).includes(samlp),
  );
  if (role === undefined) return undefined;
  const unusable = (reason: string): UnusableEntity => ({ entityId, reason });
  if (!isEntityId(entityId)) return unusable('its entityID is missing or is not a URI');

  const signOn = locationsOf(role, 'SingleSignOnService');
  if (signOn.redirect === undefined && signOn.post === undefined) {
    return unusable('it has no SingleSignOnService for HTTP-Redirect or HTTP-POST with an http(s) URL');
  }
  const certificates = signingCertificates(role);
  const problems = certificates.map(certificateProblem);
  const usable = certificates.filter((_, index) => problems[index] === undefined);
  if (usable.length === 0) {
    return unusable(problems.find((problem) => problem !== undefined) ?? 'it has no signing certificate');
  }
  const extensions = [childOf(role, md, 'Extensions'), childOf(entity, md, 'Extensions')];
  const uiInfo = childOf(extensions[0], mdui, 'UIInfo');
  return {
    entityId,
    names: namesOf(entity, uiInfo),
    keywords: keywordsOf(uiInfo),
    logo: logoOf(uiInfo),
    signOn,
    logout: logoutOf(role),
    certificates: usable,
    wantsSignedRequests: isTrue(role.attributes.get('WantAuthnRequestsSigned')),
    scopes: extensions.flatMap(scopesOf),
    isHidden: entityCategories(extensions[1]).includes(hideFromDiscovery),
    validUntil: [entity, role].reduce(
      (end, each) => Math.min(end, validUntilOf(each) ?? Number.POSITIVE_INFINITY),
      validUntil,
    ),
    isProxy: false,
  };
}

/** Epoch milliseconds; `undefined` when the element sets no expiry. A malformed expiry is read as one in the past. */
export function validUntilOf({ attributes }: Pick<XmlElement, 'attributes'>): number | undefined {
  const text = attributes.get('validUntil');
  return text === undefined ? undefined : (parseDateTime(text) ?? 0);
}

/** A key without `use` is for signing and encryption (Metadata §2.4.1.1). */
function signingCertificates(role: XmlElement): string[] {
  return childrenOf(role, md, 'KeyDescriptor')
    .filter(({ attributes }) => (attributes.get('use') ?? 'signing') === 'signing')
    .flatMap((key) => childrenOf(key, ds, 'KeyInfo'))
    .flatMap((keyInfo) => childrenOf(keyInfo, ds, 'X509Data'))
    .flatMap((data) => childrenOf(data, ds, 'X509Certificate'))
    .map(({ text }) => text.replaceAll(/\s+/g, ''));
}

function locationsOf(role: XmlElement, service: string): IdentityProvider['signOn'] {
  const at = (binding: string) =>
    childrenOf(role, md, service).find(
      ({ attributes }) => attributes.get('Binding') === binding && isWebUrl(attributes.get('Location')),
    )?.attributes;
  const [redirect, post] = [at(httpRedirect)?.get('Location'), at(httpPost)?.get('Location')];
  return { ...(redirect !== undefined && { redirect }), ...(post !== undefined && { post }) };
}

function logoutOf(role: XmlElement): IdentityProvider['logout'] {
  const service = childrenOf(role, md, 'SingleLogoutService').find(
    ({ attributes }) => attributes.get('Binding') === httpRedirect,
  );
  const request = service?.attributes.get('Location');
  const response = service?.attributes.get('ResponseLocation') ?? request;
  if (request === undefined || response === undefined) return undefined;
  return isWebUrl(request) && isWebUrl(response) ? { request, response } : undefined;
}

function namesOf(entity: XmlElement, uiInfo: XmlElement | undefined): Map<string, string> {
  const organization = childOf(entity, md, 'Organization');
  const named = [
    ...childrenOf(organization, md, 'OrganizationDisplayName'),
    ...childrenOf(uiInfo, mdui, 'DisplayName'),
  ];
  return new Map(
    named
      .map((element): [string, string] => [languageOf(element), element.text.trim()])
      .filter(([, name]) => name !== ''),
  );
}

function keywordsOf(uiInfo: XmlElement | undefined): string[] {
  return childrenOf(uiInfo, mdui, 'Keywords').map(({ text }) => text.trim().slice(0, maxKeywordLength));
}

/** URL of the smallest logo that is at least 32 pixels high, because pages show it small. */
function logoOf(uiInfo: XmlElement | undefined): string {
  const sizeOf = ({ attributes }: XmlElement) => Number(attributes.get('height')) || 0;
  const logos = childrenOf(uiInfo, mdui, 'Logo').filter(({ text }) => text.trim().startsWith('https://'));
  const [best] = logos.toSorted(
    (a, b) => Number(sizeOf(a) < 32) - Number(sizeOf(b) < 32) || sizeOf(a) - sizeOf(b),
  );
  return best?.text.trim() ?? '';
}

function scopesOf(extensions: XmlElement | undefined): Scope[] {
  return childrenOf(extensions, shibmd, 'Scope')
    .map(({ text, attributes }) => ({ value: text.trim(), isPattern: isTrue(attributes.get('regexp')) }))
    .filter(({ value }) => value !== '');
}

function entityCategories(extensions: XmlElement | undefined): string[] {
  return childrenOf(extensions, mdattr, 'EntityAttributes')
    .flatMap((attributes) => childrenOf(attributes, saml, 'Attribute'))
    .flatMap((attribute) => childrenOf(attribute, saml, 'AttributeValue'))
    .map(({ text }) => text.trim());
}

function languageOf({ attributes }: XmlElement): string {
  return (attributes.get(`{${xml}}lang`) ?? '').toLowerCase();
}

function isWebUrl(text: string | undefined): boolean {
  return text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text);
}

function isTrue(text: string | undefined): boolean {
  return text === 'true' || text === '1';
}
