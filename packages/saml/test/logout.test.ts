import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type TestKey, testKey } from '@watchword/testkit/certificate';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { assertAccepted, beginFlow, describedProvider, honest, honestXml, other } from './support/flow.ts';
import { type IdentityProvider, startIdentityProvider } from './support/identity-provider.ts';
import {
  type EncryptionOptions,
  encrypted,
  isoTime,
  newId,
  responseXml,
  signed,
} from './support/response.ts';
import { codeOf, inline, introduce, logIn, type Service, startService } from './support/service.ts';

const signing = testKey('service');
const options = { signing: { key: signing.key, certificate: signing.certificate } };

const isLoggedIn = async (service: Service, agent: UserAgent) =>
  (await agent.get(`${service.baseUrl}/account`)).html.includes('page-account');

/** Submits the logout page. */
async function logOut(service: Service, agent: UserAgent): Promise<Page> {
  const page = await agent.get(`${service.baseUrl}/logout`);
  return agent.submit(page, {});
}

const addressOn = (page: Page) =>
  /id="forward" href="([^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&');

let idp: IdentityProvider;
/** Of this identity provider. */
let logouts: Service;
before(async () => {
  idp = await startIdentityProvider();
  logouts = await startService({ identityProviders: [inline(idp)], ...options });
  await introduce(logouts, idp);
});
after(async () => {
  await logouts[Symbol.asyncDispose]();
  await idp[Symbol.asyncDispose]();
});

describe('single logout from this server', () => {
  it('ends the session here, and at the identity provider by a valid request', async () => {
    const service = logouts;
    const agent = new UserAgent();
    codeOf(await logIn(service, agent));
    const page = await logOut(service, agent);
    assert.ok(!(await isLoggedIn(service, agent)));
    const there = await fetch(addressOn(page) ?? assert.fail(page.html), { redirect: 'manual' });
    assert.equal(there.status, 302, await there.text());
    const [request = ''] = idp.logouts;
    assert.match(request, /<saml:NameID[^>]*>e-1<\/saml:NameID>/);
    assert.match(request, /SessionIndex[^>]*>_[0-9a-f]{32}</);
    const back = await agent.get(there.headers.get('location') ?? '');
    assert.equal(back.status, 200);
    assert.match(back.text, /You are signed out/);
  });

  for (const [when, settings, endpoint] of [
    [
      'the identity provider has no logout',
      () => ({ identityProviders: [inline(idp, { singleLogoutUrl: undefined })], ...options }),
      200,
    ],
    [
      'there is no signing key, which is no endpoint either',
      () => ({ identityProviders: [inline(idp)] }),
      404,
    ],
  ] as const) {
    it(`ends only the session here when ${when}`, async () => {
      await using service = await startService(settings());
      await introduce(service, idp);
      const agent = new UserAgent();
      codeOf(await logIn(service, agent));
      assert.match((await logOut(service, agent)).text, /You are signed out/);
      assert.ok(!(await isLoggedIn(service, agent)));
      const answer = await fetch(`${service.baseUrl}/saml/logout?SAMLResponse=x`);
      assert.equal(answer.status, endpoint);
    });
  }
});

describe('single logout from the identity provider', () => {
  it('of another implementation ends the sessions that it names, without cookies', async () => {
    const service = logouts;
    // The metadata of another service is there meanwhile.
    await introduce(service, idp);
    const [first, second] = [new UserAgent(), new UserAgent()];
    for (const agent of [first, second]) codeOf(await logIn(service, agent));
    const index = /SessionIndex[^>]*>(_[0-9a-f]{32})</.exec(
      inflated(addressOn(await logOut(service, second)) ?? '', 'SAMLRequest'),
    )?.[1];
    codeOf(await logIn(service, second));
    // First a session that has ended, then an unknown one, then all sessions of the user.
    for (const [sessionIndex, name, left] of [
      [index ?? assert.fail(), 'e-1', [true, true]],
      ['_unknown', 'e-1', [true, true]],
      [undefined, 'e-2', [true, true]],
      [undefined, 'e-1', [false, false]],
    ] as const) {
      const url =
        sessionIndex === undefined
          ? logoutRequestUrl(service, idp, { nameId: name, key: idp.key })
          : idp.logoutRequest(sessionIndex, name);
      const answer = await fetch(url, { redirect: 'manual' });
      assert.equal(answer.status, 303, JSON.stringify(service.refusedLogins()));
      const there = await fetch(answer.headers.get('location') ?? '');
      assert.equal(await there.text(), 'done', 'the identity provider finds the answer right');
      assert.deepEqual(await Promise.all([first, second].map((agent) => isLoggedIn(service, agent))), left);
    }
  });
});

interface LogoutFacts {
  readonly nameId?: string;
  readonly sessionIndexes?: readonly string[];
  readonly key?: TestKey;
  readonly algorithm?: string;
  readonly destination?: string | undefined;
  readonly issueInstant?: number | string;
  readonly notOnOrAfter?: number;
  readonly relayState?: string;
  readonly dsaEncoding?: 'ieee-p1363' | 'der';
  readonly edit?: (xml: string) => string;
}

const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

/** The query of a LogoutRequest. The test signs it itself, so that any part can be wrong. */
function logoutQuery(service: Service, issuer: string, of: LogoutFacts = {}): string {
  const destination = 'destination' in of ? of.destination : `${service.baseUrl}/saml/logout`;
  const xml =
    '<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"' +
    ` ID="${newId()}" Version="2.0" IssueInstant="${isoTime(of.issueInstant ?? 0)}"` +
    `${of.notOnOrAfter === undefined ? '' : ` NotOnOrAfter="${isoTime(of.notOnOrAfter)}"`}` +
    `${destination === undefined ? '' : ` Destination="${destination}"`}>` +
    `<saml:Issuer>${issuer}</saml:Issuer><saml:NameID>${of.nameId ?? 'n-1'}</saml:NameID>` +
    `${(of.sessionIndexes ?? []).map((index) => `<samlp:SessionIndex>${index}</samlp:SessionIndex>`).join('')}</samlp:LogoutRequest>`;
  const { algorithm = rsaSha256, key = honest.key, relayState, edit = (text) => text } = of;
  const deflated = deflateRawSync(edit(xml)).toString('base64');
  const query = [
    `SAMLRequest=${encodeURIComponent(deflated)}`,
    ...(relayState === undefined ? [] : [`RelayState=${encodeURIComponent(relayState)}`]),
    `SigAlg=${encodeURIComponent(algorithm)}`,
  ].join('&');
  const hash = /sha\d+$/.exec(algorithm)?.[0] ?? 'sha256';
  const { dsaEncoding = 'der' } = of;
  const signature = sign(hash, Buffer.from(query), { key: key.key, dsaEncoding }).toString('base64');
  return `${query}&Signature=${encodeURIComponent(signature)}`;
}

function logoutRequestUrl(service: Service, { entityId }: { entityId: string }, of: LogoutFacts): string {
  return `${service.baseUrl}/saml/logout?${logoutQuery(service, entityId, of)}`;
}

function inflated(url: string, name: string): string {
  const text = new URL(url).searchParams.get(name) ?? '';
  return inflateRawSync(Buffer.from(text, 'base64')).toString();
}

describe('a LogoutRequest', () => {
  const recipients = [testKey('newer'), testKey('older')];
  const signers = (['rsa', 'ec'] as const).map((type) => ({
    type,
    entityId: `https://${type}.example/idp`,
    key: testKey('idp', { type }),
  }));

  let service: Service;
  before(async () => {
    service = await startService({
      identityProviders: [honest, other, ...signers].map((provider) => describedProvider(provider)),
      encryption: recipients.map(({ key, certificate }) => ({ key, certificate })),
      ...options,
    });
  });
  after(() => service[Symbol.asyncDispose]());

  const withSession = async (work: (service: Service, agent: UserAgent) => Promise<void>) => {
    const flow = await beginFlow(service);
    await assertAccepted(service, flow, honestXml(flow.facts()));
    assert.ok(await isLoggedIn(service, flow.agent));
    await work(service, flow.agent);
  };

  it('gets a signed response with its RelayState', async () => {
    await withSession(async (service, agent) => {
      const relayState = 'a b&c';
      const answer = await fetch(
        logoutRequestUrl(service, honest, { relayState, sessionIndexes: ['s-0', 's-1'] }),
        {
          redirect: 'manual',
        },
      );
      const location = answer.headers.get('location') ?? assert.fail(await answer.text());
      assert.ok(location.startsWith(`${honest.entityId}/slo?`));
      const { searchParams } = new URL(location);
      assert.equal(searchParams.get('RelayState'), relayState);
      assert.equal(searchParams.get('SigAlg'), rsaSha256);
      assert.match(inflated(location, 'SAMLResponse'), /status:Success/);
      assert.ok(!(await isLoggedIn(service, agent)));
    });
  });

  it('ends no session when it is not valid', async () => {
    await withSession(async (service, agent) => {
      const url = (query: string) => `${service.baseUrl}/saml/logout?${query}`;
      const good = logoutQuery(service, honest.entityId);
      const part = (name: string) => good.split('&').find((pair) => pair.startsWith(`${name}=`)) ?? '';
      const wrong: readonly [check: string, query: string][] = [
        ['signature', good.replace(/&Signature=.*/, '')],
        ['signature', good.replace(/&Signature=.*/, '&Signature=')],
        ['signature', good.replace(/Signature=.{8}/, 'Signature=AAAAAAAA')],
        ['signature', logoutQuery(service, honest.entityId, { key: other.key })],
        ['signature', logoutQuery(service, honest.entityId, { key: testKey('stranger') })],
        ['signature', `${good}&RelayState=added`],
        ['signature', good.replace(part('SAMLRequest'), part('SAMLRequest').replace('=', '=%20'))],
        [
          'algorithm',
          logoutQuery(service, honest.entityId, { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }),
        ],
        ['algorithm', good.replace(/&SigAlg=[^&]+/, '')],
        ['algorithm', good.replace(/&SigAlg=[^&]+/, '&SigAlg=RSA-MD5')],
        ['structure', `${logoutQuery(service, other.entityId, { key: other.key })}&${good}`],
        ['structure', `x=${part('SAMLRequest')}&${part('SAMLRequest')}&${good}`],
        ['provider', logoutQuery(service, 'https://unknown.example')],
        ['destination', logoutQuery(service, honest.entityId, { destination: undefined })],
        ['destination', logoutQuery(service, honest.entityId, { destination: 'https://elsewhere.example' })],
        ['time', logoutQuery(service, honest.entityId, { issueInstant: -600 })],
        ['time', logoutQuery(service, honest.entityId, { issueInstant: 600 })],
        ['time', logoutQuery(service, honest.entityId, { issueInstant: 'now' })],
        ['time', logoutQuery(service, honest.entityId, { notOnOrAfter: -200 })],
        [
          'structure',
          logoutQuery(service, honest.entityId, {
            edit: (xml) => xml.replaceAll('LogoutRequest', 'AuthnRequest'),
          }),
        ],
        ...['', '<saml:NameID>n-1</saml:NameID><saml:NameID>n-2</saml:NameID>', '<saml:BaseID/>'].map(
          (name): [string, string] => {
            const edit = (xml: string) => xml.replace(/<saml:NameID>.*<\/saml:NameID>/, name);
            return ['structure', logoutQuery(service, honest.entityId, { edit })];
          },
        ),
        ['structure', logoutQuery(service, honest.entityId, { nameId: 'n-<x xmlns="urn:x"/>1' })],
        [
          'time',
          logoutQuery(service, honest.entityId, {
            notOnOrAfter: 0,
            edit: (xml) => xml.replace(/NotOnOrAfter="[^"]+"/, 'NotOnOrAfter="soon"'),
          }),
        ],
        // The signature is verified first, so an attacker learns nothing about later checks.
        [
          'signature',
          logoutQuery(service, honest.entityId, { key: other.key, destination: 'https://elsewhere.example' }),
        ],
        ['structure', logoutQuery(service, honest.entityId, { sessionIndexes: ['s-1<x xmlns="urn:x"/>'] })],
        ['xml', logoutQuery(service, honest.entityId, { edit: (xml) => `<!DOCTYPE x>${xml}` })],
        [
          'xml',
          logoutQuery(service, honest.entityId, { edit: (xml) => xml.replace('>n-1<', '>n-<!-- -->1<') }),
        ],
        ['encoding', logoutQuery(service, honest.entityId, { edit: (xml) => xml + ' '.repeat(1_000_000) })],
        ['encoding', good.replace(/SAMLRequest=[^&]+/, 'SAMLRequest=AAAA')],
        ['encoding', good.replace(/SAMLRequest=[^&]+/, 'SAMLRequest=%ZZ')],
        ['encoding', ''],
      ];
      for (const [check, query] of wrong) {
        const before = service.server.log().length;
        const answer = await fetch(url(query), { redirect: 'manual' });
        await answer.text();
        assert.ok(answer.status === 403 || answer.status === 400, query);
        assert.equal(answer.headers.get('location'), null);
        const [logged] = service.refusedLogins(before);
        // The server rejects a malformed query before the module sees it.
        if (!query.includes('%ZZ')) assert.equal(logged?.check, check, `${query}: ${logged?.detail}`);
      }
      assert.ok(await isLoggedIn(service, agent));
    });
  });

  for (const [what, type, algorithm, dsaEncoding] of [
    ['by RSA with SHA-384', 'rsa', 'rsa-sha384', 'der'],
    ['by ECDSA, as XML Signature writes it', 'ec', 'ecdsa-sha256', 'ieee-p1363'],
    ['by ECDSA in DER, as many write it', 'ec', 'ecdsa-sha384', 'der'],
  ] as const) {
    it(`can be signed ${what}`, async () => {
      const provider = signers.find((signer) => signer.type === type) ?? assert.fail();
      const uri = (name: string) => `http://www.w3.org/2001/04/xmldsig-more#${name}`;
      const flow = await beginFlow(service, provider);
      const signing = {
        signatureAlgorithm: uri(`${type === 'ec' ? 'ecdsa' : 'rsa'}-sha256`),
        hash: 'sha256',
      };
      const xml = signed(responseXml(flow.facts()), 'Assertion', provider.key, signing);
      await assertAccepted(service, flow, xml);
      const of = { key: provider.key, algorithm: uri(algorithm), dsaEncoding };
      const stranger = { ...of, key: testKey('stranger', { type }) };
      const answers = [stranger, of].map((each) => logoutRequestUrl(service, provider, each));
      assert.equal((await fetch(answers[0] ?? '', { redirect: 'manual' })).status, 403);
      assert.ok(await isLoggedIn(service, flow.agent));
      assert.equal((await fetch(answers[1] ?? '', { redirect: 'manual' })).status, 303);
      assert.ok(!(await isLoggedIn(service, flow.agent)));
    });
  }

  it('can name the user encrypted, and must not encrypt another element', async () => {
    const flow = await beginFlow(service);
    await assertAccepted(service, flow, honestXml(flow.facts()));
    const name = (text: string) =>
      `<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${text}</saml:NameID>`;
    const encryptedName = async (content: string, more: EncryptionOptions = {}) => {
      const xml = await encrypted('<saml:Assertion></saml:Assertion>', recipients[1] ?? assert.fail(), {
        content,
        ...more,
      });
      const id = xml.replaceAll('EncryptedAssertion', 'EncryptedID');
      const edit = (request: string) => request.replace(/<saml:NameID>.*<\/saml:NameID>/, () => id);
      return fetch(logoutRequestUrl(service, honest, { edit, key: honest.key }), { redirect: 'manual' });
    };
    for (const [content, more, check] of [
      ['<x/>', {}, 'signature'],
      [name('n-<x/>1'), {}, 'structure'],
      [name('n-1'), { key: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5' }, 'algorithm'],
    ] as const) {
      assert.equal((await encryptedName(content, more)).status, 403);
      assert.equal(service.refusedLogins().at(-1)?.check, check);
      assert.ok(await isLoggedIn(service, flow.agent));
    }
    assert.equal((await encryptedName(name('n-1'))).status, 303);
    assert.ok(!(await isLoggedIn(service, flow.agent)));
  });

  it('of another identity provider ends no session of a user with the same name id', async () => {
    await withSession(async (service, agent) => {
      const answer = await fetch(logoutRequestUrl(service, other, { key: other.key }), {
        redirect: 'manual',
      });
      assert.equal(answer.status, 303);
      assert.ok(await isLoggedIn(service, agent));
    });
  });

  it('ends no session that began after it when it is replayed', async () => {
    await withSession(async (service, agent) => {
      const answer = await fetch(logoutRequestUrl(service, honest, { issueInstant: -120 }), {
        redirect: 'manual',
      });
      assert.equal(answer.status, 303);
      assert.ok(await isLoggedIn(service, agent));
    });
  });

  it('finds sessions by the database only, not by data of the browser', async () => {
    await withSession(async (service, agent) => {
      const answer = `${service.baseUrl}/saml/logout?SAMLResponse=x`;
      const page = await agent.get(answer);
      assert.doesNotMatch(page.text, /You are signed out/);
      assert.match(page.html, /page-logout/, 'it asks, for an answer by itself ends nothing');
      assert.ok(await isLoggedIn(service, agent));
      assert.match((await new UserAgent().get(answer)).text, /You are signed out/);
    });
  });
});
