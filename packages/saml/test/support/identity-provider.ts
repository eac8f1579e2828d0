import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestKey, testKey } from '@watchword/testkit/certificate';
import * as samlify from 'samlify';

// The tests have no schema validator; samlify reads messages by XPath.
samlify.setSchemaValidator({ validate: async () => 'valid' });

const { redirect, post } = samlify.Constants.namespace.binding;
const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

export interface Person {
  readonly nameId: string;
  readonly nameIdFormat?: string;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  /** Entity ids of the identity providers behind a proxy. */
  readonly identityProviders?: readonly string[];
  /** The class of the login; default: that of a password. */
  readonly authnContext?: string;
}

export interface IdentityProviderOptions {
  readonly key?: TestKey;
  readonly wantsSignedRequests?: boolean;
  readonly isEncrypted?: boolean;
  readonly encryption?:
    | 'http://www.w3.org/2009/xmlenc11#aes128-gcm'
    | 'http://www.w3.org/2001/04/xmlenc#aes256-cbc';
  readonly bindings?: readonly ('redirect' | 'post')[];
  readonly port?: number;
  /** The users to choose from; default: only `person`. */
  readonly people?: readonly Person[];
  /** URL of the metadata of the service provider, in place of a call of `register`. */
  readonly serviceMetadata?: string;
}

/** A received AuthnRequest. */
export interface SeenRequest {
  readonly id: string;
  readonly xml: string;
  readonly relayState: string;
  readonly binding: string;
  readonly isSigned: boolean;
}

/** Keys of closed providers, for reuse, because a new key takes longer than most tests. Open providers never share a key. */
const spareKeys: TestKey[] = [];
let keys = 0;

/** An identity provider of another implementation, samlify, over HTTP. It logs every browser in as `person`. */
export interface IdentityProvider extends AsyncDisposable {
  readonly entityId: string;
  readonly key: TestKey;
  readonly metadataUrl: string;
  readonly ssoUrl: string;
  readonly requests: SeenRequest[];
  /** Received logout messages that were valid. */
  readonly logouts: string[];
  person: Person;
  /** Milliseconds by which its clock is ahead. */
  clockOffset: number;
  /** Registers the service provider by its metadata. */
  register(serviceMetadata: string): void;
  metadata(): string;
  /** The URL of a LogoutRequest of this identity provider. */
  logoutRequest(sessionIndex: string, nameId?: string): string;
}

export async function startIdentityProvider(
  options: IdentityProviderOptions = {},
): Promise<IdentityProvider> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response
        .writeHead(500)
        .end(`the identity provider: ${error instanceof Error ? error.message : String(error)}`);
    });
  });
  const { port = 0 } = options;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const host = port === 0 ? '127.0.0.1' : 'localhost';
  const base = `http://${host}:${(server.address() as AddressInfo).port}`;
  const key = options.key ?? spareKeys.pop() ?? newKey();
  let lent = options.key === undefined ? key : undefined;
  const { wantsSignedRequests = false, bindings = ['redirect', 'post'] } = options;
  const idp = samlify.IdentityProvider({
    entityID: `${base}/metadata`,
    privateKey: key.key,
    signingCert: key.certificate,
    wantAuthnRequestsSigned: wantsSignedRequests,
    wantLogoutRequestSigned: true,
    wantLogoutResponseSigned: true,
    isAssertionEncrypted: options.isEncrypted ?? false,
    ...({
      dataEncryptionAlgorithm: options.encryption ?? 'http://www.w3.org/2009/xmlenc11#aes128-gcm',
    } as object),
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    nameIDFormat: [persistent],
    singleSignOnService: bindings.map((binding) => ({
      Binding: binding === 'redirect' ? redirect : post,
      Location: `${base}/sso`,
    })),
    singleLogoutService: [{ Binding: redirect, Location: `${base}/slo` }],
    loginResponseTemplate: { context: responseTemplate, attributes: [] },
  });
  let service: ReturnType<typeof samlify.ServiceProvider> | undefined;

  const provider: IdentityProvider = {
    entityId: `${base}/metadata`,
    key,
    metadataUrl: `${base}/metadata`,
    ssoUrl: `${base}/sso`,
    requests: [],
    logouts: [],
    person: { nameId: 'e-1', attributes: { 'urn:mace:dir:attribute-def:uid': ['emma'] } },
    clockOffset: 0,
    register(serviceMetadata) {
      service = samlify.ServiceProvider({
        metadata: serviceMetadata,
        wantLogoutRequestSigned: true,
        wantLogoutResponseSigned: true,
      });
    },
    metadata: () => idp.getMetadata(),
    logoutRequest(sessionIndex, nameId = provider.person.nameId) {
      if (service === undefined) throw new Error('the service provider is not registered');
      const made = idp.createLogoutRequest(service, 'redirect', { logoutNameID: nameId, sessionIndex });
      return made.context;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      if (lent !== undefined) spareKeys.push(lent);
      lent = undefined;
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', base);
    if (url.pathname === '/metadata') {
      response.setHeader('content-type', 'application/samlmetadata+xml');
      response.end(idp.getMetadata());
      return;
    }
    if (service === undefined && options.serviceMetadata !== undefined) {
      const { serviceMetadata } = options;
      const metadata = await fetch(serviceMetadata).catch((cause: unknown) => {
        throw new Error(`expected the metadata of the service provider at ${serviceMetadata}`, { cause });
      });
      provider.register(await metadata.text());
    }
    if (service === undefined) throw new Error('the service provider is not registered');
    const query = Object.fromEntries(url.searchParams);
    const octetString = signedPart(url.search);
    if (url.pathname === '/slo') {
      const isAnswer = query.SAMLResponse !== undefined;
      const parsed = isAnswer
        ? await idp.parseLogoutResponse(service, 'redirect', { query, octetString })
        : await idp.parseLogoutRequest(service, 'redirect', { query, octetString });
      provider.logouts.push(parsed.samlContent);
      if (isAnswer) {
        response.end('done');
        return;
      }
      const { context } = idp.createLogoutResponse(service, { ...parsed }, 'redirect', {
        relayState: query.RelayState ?? '',
      });
      response.writeHead(302, { location: context }).end();
      return;
    }
    const body = Object.fromEntries(new URLSearchParams(await text(request)));
    const isPost = request.method === 'POST';
    const parsed = isPost
      ? await idp.parseLoginRequest(service, 'post', { body })
      : await idp.parseLoginRequest(service, 'redirect', { query, octetString });
    const relayState = (isPost ? body.RelayState : query.RelayState) ?? '';
    provider.requests.push({
      id: parsed.extract.request?.id as string,
      xml: parsed.samlContent,
      relayState,
      binding: isPost ? 'post' : 'redirect',
      isSigned: isPost ? parsed.samlContent.includes('SignatureValue') : query.Signature !== undefined,
    });
    const { people = [provider.person] } = options;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    const id = parsed.extract.request?.id as string;
    const forms = people.map(async (person) => {
      const customTagReplacement = (template: string) => ({ id: 'x', context: fill(template, id, person) });
      const made = await idp.createLoginResponse(
        service as NonNullable<typeof service>,
        { ...parsed },
        'post',
        {},
        { customTagReplacement, relayState },
      );
      const { entityEndpoint, context } = made as { entityEndpoint: string; context: string };
      return `<form method="post" action="${entityEndpoint}">
        <input type="hidden" name="SAMLResponse" value="${context}">
        <input type="hidden" name="RelayState" value="${relayState}">
        <button>Log in as ${person.nameId}</button></form>`;
    });
    response.end(
      `<!doctype html><title>Test identity provider</title>${(await Promise.all(forms)).join('')}`,
    );
  }

  function fill(template: string, inResponseTo: string, person: Person): string {
    const now = Date.now() + provider.clockOffset;
    const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();
    const acs = service?.entityMeta.getAssertionConsumerService('post') as string;
    const { nameId, nameIdFormat = persistent, attributes, identityProviders = [] } = person;
    const { authnContext = 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password' } = person;
    return samlify.SamlLib.replaceTagsByValue(template, {
      ID: newId(),
      AssertionID: newId(),
      SessionIndex: newId(),
      Destination: acs,
      Audience: service?.entityMeta.getEntityID() ?? '',
      Issuer: idp.entityMeta.getEntityID(),
      IssueInstant: at(0),
      NotBefore: at(-1),
      NotOnOrAfter: at(300),
      InResponseTo: inResponseTo,
      NameID: nameId,
      NameIDFormat: nameIdFormat,
      AuthnContext: authnContext,
    })
      .replace('[[attributes]]', Object.entries(attributes).map(attributeXml).join(''))
      .replace(
        '[[identityProviders]]',
        identityProviders
          .map((each) => `<saml:AuthenticatingAuthority>${each}</saml:AuthenticatingAuthority>`)
          .join(''),
      );
  }

  return provider;
}

function newKey(): TestKey {
  keys += 1;
  return testKey(`idp ${keys}`);
}

/** The query that the signature of a message by HTTP-Redirect covers. */
function signedPart(search: string): string {
  return search
    .slice(1)
    .split('&')
    .filter((pair) => !pair.startsWith('Signature='))
    .join('&');
}

function attributeXml([name, values]: [string, readonly string[]]): string {
  const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const inner = values
    .map((value) => `<saml:AttributeValue xsi:type="xs:string">${escaped(value)}</saml:AttributeValue>`)
    .join('');
  return `<saml:Attribute Name="${name}" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri">${inner}</saml:Attribute>`;
}

function newId(): string {
  return `_${randomBytes(16).toString('hex')}`;
}

const responseTemplate = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{ID}" Version="2.0" IssueInstant="{IssueInstant}" Destination="{Destination}" InResponseTo="{InResponseTo}"><saml:Issuer>{Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" ID="{AssertionID}" Version="2.0" IssueInstant="{IssueInstant}"><saml:Issuer>{Issuer}</saml:Issuer><saml:Subject><saml:NameID Format="{NameIDFormat}">{NameID}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{NotOnOrAfter}" Recipient="{Destination}" InResponseTo="{InResponseTo}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{NotBefore}" NotOnOrAfter="{NotOnOrAfter}"><saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="{IssueInstant}" SessionIndex="{SessionIndex}"><saml:AuthnContext><saml:AuthnContextClassRef>{AuthnContext}</saml:AuthnContextClassRef>[[identityProviders]]</saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>[[attributes]]</saml:AttributeStatement></saml:Assertion></samlp:Response>`;
