import assert from 'node:assert/strict';
import { inflateRawSync } from 'node:zlib';
import { type TestKey, testKey } from '@watchword/testkit/certificate';
import { UserAgent } from '@watchword/testkit/user-agent';
import { encoded, facts, type ResponseFacts, responseXml, type Sloppy, signed } from './response.ts';
import { arrive, type PostedResponse, postAcross, type Service } from './service.ts';

/** An identity provider that is nothing but a key: its answers are made by hand. */
export interface PaperProvider {
  readonly entityId: string;
  readonly key: TestKey;
}

export const honest: PaperProvider = { entityId: 'https://honest.example/idp', key: testKey('honest') };
export const other: PaperProvider = { entityId: 'https://other.example/idp', key: testKey('other') };

export function onPaper({ entityId, key }: PaperProvider, more: Record<string, unknown> = {}) {
  return {
    entityId,
    singleSignOnUrl: `${entityId}/sso`,
    singleLogoutUrl: `${entityId}/slo`,
    certificates: key.certificateBase64,
    ...more,
  };
}

/** A login that has begun: the browser is at the identity provider. */
export interface Flow {
  readonly agent: UserAgent;
  /** Id of the AuthnRequest. */
  readonly requestId: string;
  readonly relayState: string;
  /** What is true of an honest answer. */
  facts(more?: Sloppy<ResponseFacts>): ResponseFacts;
}

export async function beginFlow(
  service: Service,
  provider: PaperProvider = honest,
  query = '',
  agent = new UserAgent(),
): Promise<Flow> {
  let page = await arrive(service, agent, query);
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

/** Signed as most identity providers do it. */
export function honestXml(of: ResponseFacts, { key }: PaperProvider = honest): string {
  return signed(responseXml(of), 'Assertion', key);
}

/** Posts a response and asserts that it lets nobody in; resolves with the page. */
export async function assertRefused(
  service: Service,
  flow: Flow,
  xml: string | Buffer,
  check: string,
  status = 403,
): Promise<string> {
  const before = service.refusals().length;
  const answer = await post(service, flow, { SAMLResponse: encoded(xml) });
  const page = await answer.text();
  assert.equal(answer.headers.get('location'), null, 'the browser was sent on');
  assert.equal(answer.status, status, page);
  assert.equal(answer.headers.get('set-cookie'), null);
  const refusals = service.refusals().slice(before);
  assert.deepEqual(
    refusals.map((refusal) => refusal.check),
    [check],
    refusals[0]?.detail ?? '',
  );
  return page;
}

/** Posts a response and asserts that it lets its person in. */
export async function assertAccepted(service: Service, flow: Flow, xml: string): Promise<string> {
  const answer = await post(service, flow, { SAMLResponse: encoded(xml) });
  assert.equal(answer.status, 303, `${JSON.stringify(service.refusals().at(-1))}`);
  const page = await flow.agent.get(answer.headers.get('location') ?? '');
  const code = new URL(page.location ?? assert.fail(page.text)).searchParams.get('code');
  return code ?? assert.fail(page.location);
}

export function post(
  service: Service,
  { relayState }: Flow,
  fields: Partial<PostedResponse>,
): Promise<Response> {
  return postAcross(service, { RelayState: relayState, ...fields });
}
