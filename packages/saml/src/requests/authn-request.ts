import { SAML } from '@node-saml/node-saml';
import type { PostStep, RedirectStep } from '@watchword/protocol';
import type { ServiceProvider } from '../addresses.ts';
import { toPem } from '../metadata/certificate.ts';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import type { SamlOptions } from '../options/read-options.ts';

export type RequestOptions = Pick<
  SamlOptions,
  'binding' | 'signing' | 'signRequests' | 'nameIdFormat' | 'authnContext' | 'scoping'
>;

export interface AuthnRequest {
  readonly id: string;
  /** The person must prove who they are again, whatever session they have there. */
  readonly isFresh: boolean;
  /** Entity id of the application in whose name it is asked, for a proxy that decides by it. */
  readonly requesterId: string | undefined;
}

/** Nothing is remembered: what may happen once is decided in the database. */
export const noCache = {
  saveAsync: async () => null,
  getAsync: async () => null,
  removeAsync: async () => null,
};

/** Sends the browser to an identity provider with an AuthnRequest, by the binding that both sides know. */
export function requestStep(
  { id, isFresh, requesterId }: AuthnRequest,
  provider: IdentityProvider,
  service: ServiceProvider,
  options: RequestOptions,
  state: unknown,
): RedirectStep | PostStep {
  const { signOn, wantsSignedRequests } = provider;
  const byPost = options.binding === 'post' ? signOn.post !== undefined : signOn.redirect === undefined;
  const location = (byPost ? signOn.post : signOn.redirect) ?? '';
  const { signing, scoping } = options;
  const isSigned = signing !== undefined && (options.signRequests || wantsSignedRequests);
  const saml = new SAML({
    callbackUrl: service.acs,
    issuer: service.entityId,
    entryPoint: location,
    idpCert: provider.certificates.map(toPem),
    generateUniqueId: () => id,
    forceAuthn: isFresh,
    identifierFormat: options.nameIdFormat ?? null,
    disableRequestedAuthnContext: options.authnContext.length === 0,
    authnContext: [...options.authnContext],
    // Deflated is what goes into a URL, and nothing else (Bindings §3.4.4, §3.5.4).
    skipRequestCompression: byPost,
    cacheProvider: noCache,
    ...(isSigned && {
      privateKey: signing.key,
      publicCert: signing.certificate,
      signatureAlgorithm: 'sha256',
      digestAlgorithm: 'sha256',
    }),
    ...scopingOf(scoping, requesterId),
  });
  const step = { brief: true, state };
  return byPost
    ? {
        ...step,
        type: 'post',
        location,
        fields: async (relayState) => textsOf(await saml.getAuthorizeMessageAsync(relayState)),
      }
    : {
        ...step,
        type: 'redirect',
        location: (relayState) => saml.getAuthorizeUrlAsync(relayState, undefined, {}),
      };
}

/** Core §3.4.1.2. */
function scopingOf({ idpList, proxyCount }: RequestOptions['scoping'], requesterId: string | undefined) {
  if (idpList.length === 0 && proxyCount === undefined && requesterId === undefined) return {};
  return {
    scoping: {
      ...(idpList.length > 0 && {
        idpList: [{ entries: idpList.map((providerId) => ({ providerId })) }],
      }),
      ...(proxyCount !== undefined && { proxyCount }),
      ...(requesterId !== undefined && { requesterId }),
    },
  };
}

function textsOf(fields: object): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}
