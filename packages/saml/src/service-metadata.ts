import type { ModuleEndpoint } from '@watchword/protocol';
import { paths } from './addresses.ts';
import type { SamlDependencies } from './dependencies.ts';
import { type EncryptionMethod, encryptionMethods } from './response/encryption-rules.ts';
import { httpPost, httpRedirect, xenc11 } from './xml/namespaces.ts';

/** `GET {base}/saml/metadata`: the metadata of this service provider, for identity providers and federations. */
export function metadataEndpoint(deps: SamlDependencies): ModuleEndpoint {
  return {
    path: paths.metadata,
    method: 'GET',
    answer: async () => ({
      type: 'document',
      contentType: 'application/samlmetadata+xml',
      content: serviceMetadata(deps),
    }),
  };
}

function serviceMetadata({ options, addresses }: SamlDependencies): string {
  const { entityId, acs, discovery, logout } = addresses;
  const { signing, signRequests, encryption, allowCbc, nameIdFormat, displayName, contactEmail } = options;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#"',
    '  xmlns:mdui="urn:oasis:names:tc:SAML:metadata:ui"',
    '  xmlns:idpdisc="urn:oasis:names:tc:SAML:profiles:SSO:idp-discovery-protocol"',
    `  entityID="${escaped(entityId)}">`,
    `  <md:SPSSODescriptor AuthnRequestsSigned="${signRequests}" WantAssertionsSigned="true"`,
    '    protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">',
    '    <md:Extensions>',
    ...(displayName === undefined
      ? []
      : [
          `      <mdui:UIInfo><mdui:DisplayName xml:lang="en">${escaped(displayName)}</mdui:DisplayName></mdui:UIInfo>`,
        ]),
    `      <idpdisc:DiscoveryResponse Binding="urn:oasis:names:tc:SAML:profiles:SSO:idp-discovery-protocol" Location="${escaped(discovery)}" index="1"/>`,
    '    </md:Extensions>',
    ...(signing === undefined ? [] : [keyDescriptor('signing', signing.certificate, [])]),
    ...encryption.map(({ certificate }) =>
      keyDescriptor('encryption', certificate, encryptionMethods({ allowCbc })),
    ),
    ...(signing === undefined
      ? []
      : [`    <md:SingleLogoutService Binding="${httpRedirect}" Location="${escaped(logout)}"/>`]),
    ...(nameIdFormat === undefined
      ? []
      : [`    <md:NameIDFormat>${escaped(nameIdFormat)}</md:NameIDFormat>`]),
    `    <md:AssertionConsumerService Binding="${httpPost}" Location="${escaped(acs)}" index="1" isDefault="true"/>`,
    '  </md:SPSSODescriptor>',
    ...(contactEmail === undefined
      ? []
      : [
          `  <md:ContactPerson contactType="technical"><md:EmailAddress>mailto:${escaped(contactEmail)}</md:EmailAddress></md:ContactPerson>`,
        ]),
    '</md:EntityDescriptor>',
  ];
  return `${lines.join('\n')}\n`;
}

function keyDescriptor(use: string, certificate: string, methods: readonly EncryptionMethod[]): string {
  const base64 = certificate.replaceAll(/-----[^-]+-----|\s+/g, '');
  const key = `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`;
  const encryption = methods.map(encryptionMethod).join('');
  return `    <md:KeyDescriptor use="${use}">${key}${encryption}</md:KeyDescriptor>`;
}

function encryptionMethod({ algorithm, digest, mask }: EncryptionMethod): string {
  const parameters = [
    ...(digest === undefined ? [] : [`<ds:DigestMethod Algorithm="${digest}"/>`]),
    ...(mask === undefined ? [] : [`<xenc11:MGF xmlns:xenc11="${xenc11}" Algorithm="${mask}"/>`]),
  ];
  return `<md:EncryptionMethod Algorithm="${algorithm}">${parameters.join('')}</md:EncryptionMethod>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
