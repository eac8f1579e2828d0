import { SAML } from '@node-saml/node-saml';
import type { PostStep, Random, RedirectStep } from '@watchword/protocol';
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
  /**
   * The identity provider must ask the user even if it has a session: the client requires a new login, or the user chooses an
   * account.
   */
  readonly forceAuthn: boolean;
  /** Entity id of the client application (`RequesterID`); a proxy can decide by it. */
  readonly requesterId: string | undefined;
}

/** Stores nothing: the one-time store in the database rejects replays. */
export const noCache = {
  saveAsync: async () => null,
  getAsync: async () => null,
  removeAsync: async () => null,
};

/** Sends the browser to an identity provider with an AuthnRequest, by a binding that the identity provider supports. */
export function requestStep(
  { id, forceAuthn, requesterId }: AuthnRequest,
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
    forceAuthn,
    identifierFormat: options.nameIdFormat ?? null,
    disableRequestedAuthnContext: options.authnContext.length === 0,
    authnContext: [...options.authnContext],
    // HTTP-Redirect deflates the message, HTTP-POST does not (Bindings §3.4.4, §3.5.4).
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

/** The element `Scoping` (Core §3.4.1.2). */
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

/** An unguessable id of 160 random bits that is valid as an attribute `ID` (NCName; Core §1.3.4). */
export function newId(random: Random): string {
  const bytes = Buffer.alloc(20);
  random.fill(bytes);
  return `_${bytes.toString('hex')}`;
}
