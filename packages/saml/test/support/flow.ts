import assert from 'node:assert/strict';
import { inflateRawSync } from 'node:zlib';
import type { Answer } from '@watchword/server-testkit/clients/ask';
import { type TestKey, testKey } from '@watchword/testkit/certificate';
import { UserAgent } from '@watchword/testkit/user-agent';
import { encoded, facts, type ResponseFacts, responseXml, type Sloppy, signed } from './response.ts';
import { type PostedResponse, postAcross, requestLogin, type Service } from './service.ts';

/** An identity provider without a server: tests make its responses with its key. */
export interface PaperProvider {
  readonly entityId: string;
  readonly key: TestKey;
}

export const honest: PaperProvider = { entityId: 'https://honest.example/idp', key: testKey('idp') };
export const other: PaperProvider = { entityId: 'https://other.example/idp', key: testKey('other') };

export function describedProvider({ entityId, key }: PaperProvider, more: Record<string, unknown> = {}) {
  return {
    entityId,
    singleSignOnUrl: `${entityId}/sso`,
    singleLogoutUrl: `${entityId}/slo`,
    certificates: key.certificateBase64,
    ...more,
  };
}

/** A login in progress: the browser is at the identity provider. */
export interface Flow {
  readonly agent: UserAgent;
  /** ID of the AuthnRequest. */
  readonly requestId: string;
  readonly relayState: string;
  /** The facts of a valid response. */
  facts(more?: Sloppy<ResponseFacts>): ResponseFacts;
}

export async function beginFlow(
  service: Service,
  provider: PaperProvider = honest,
  query = '',
  agent = new UserAgent(),
): Promise<Flow> {
  let page = await requestLogin(service, agent, query);
  if (page.location === undefined) {
    const link = [...page.html.matchAll(/href="([^"]+choice=[^"]+)"/g)]
      .map(([, href = '']) => href.replaceAll('&amp;', '&'))
      .find((href) => href.endsWith(encodeURIComponent(provider.entityId)));
    page = await agent.get(new URL(link ?? assert.fail(page.text), service.baseUrl).href);
  }
  const { searchParams } = new URL(page.location ?? assert.fail(page.text));
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  const requestId = /\sID="([^"]+)"/.exec(xml)?.[1] ?? '';
  return {
    agent,
    requestId,
    relayState: searchParams.get('RelayState') ?? '',
    facts: (more = {}) =>
      facts(
        {
          issuer: provider.entityId,
          acs: service.acs,
          audience: `${service.baseUrl}/saml/metadata`,
          inResponseTo: requestId,
        },
        more,
      ),
  };
}

/** A response with a signed assertion, the form of most identity providers. */
export function honestXml(of: ResponseFacts, { key }: PaperProvider = honest): string {
  return signed(responseXml(of), 'Assertion', key);
}

/** Posts a response and asserts that the login is refused; resolves with the page. */
export async function assertRejected(
  service: Service,
  flow: Flow,
  xml: string | Buffer,
  check: string,
  status = 403,
): Promise<string> {
  const before = service.server.log().length;
  const answer = await post(service, flow, { SAMLResponse: encoded(xml) });
  const page = answer.text;
  assert.equal(answer.headers.get('location'), null, 'the browser was sent on');
  assert.equal(answer.status, status, page);
  assert.equal(answer.headers.get('set-cookie'), null);
  const refusedNow = service.refusedLogins(before);
  assert.deepEqual(
    refusedNow.map(({ check }) => check),
    [check],
    refusedNow[0]?.detail ?? '',
  );
  return page;
}

/** Posts a response and asserts that the login succeeds; resolves with the code. */
export async function assertAccepted(service: Service, flow: Flow, xml: string): Promise<string> {
  const answer = await post(service, flow, { SAMLResponse: encoded(xml) });
  assert.equal(answer.status, 303, `${JSON.stringify(service.refusedLogins().at(-1))}`);
  const page = await flow.agent.get(answer.headers.get('location') ?? '');
  const code = new URL(page.location ?? assert.fail(page.text)).searchParams.get('code');
  return code ?? assert.fail(page.location);
}

export function post(
  service: Service,
  { relayState }: Flow,
  fields: Partial<PostedResponse>,
): Promise<Answer> {
  return postAcross(service, { RelayState: relayState, ...fields });
}
