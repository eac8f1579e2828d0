import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it, mock } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { testKey } from '@watchword/testkit/certificate';
import { aggregateXml, entityXml, inAnHour, signedMetadata } from '@watchword/testkit/saml-metadata';
import { startSite } from '@watchword/testkit/site';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { describedProvider, honest } from './support/flow.ts';
import { requestLogin, type Service, startService } from './support/service.ts';

const key = testKey('idp');
const federation = testKey('federation');
const certificates = [key.certificateBase64];

const universities = Array.from({ length: 60 }, (_, index) =>
  entityXml(
    {
      entityId: `https://idp${index}.example/shibboleth`,
      certificates,
      names: { en: `University ${String(index).padStart(2, '0')}`, nl: `Universiteit ${index}` },
      scopes: [`uni${index}.example`],
    },
    false,
  ),
);
const special = [
  entityXml(
    {
      entityId: 'https://muenster.example',
      certificates,
      names: { de: 'Universität Münster' },
      keywords: 'WWU westfalen',
    },
    false,
  ),
  entityXml(
    {
      entityId: 'https://logo.example',
      certificates,
      names: { en: 'With <b>"Logo"'.replace('<', '&lt;') },
      logo: 'https://cdn.example/logo.png',
    },
    false,
  ),
  entityXml(
    { entityId: 'https://hidden.example', certificates, names: { en: 'Hidden College' }, isHidden: true },
    false,
  ),
];

const namesOn = (page: Page) =>
  [...page.html.matchAll(/<a class="choice"[^>]*>.*?<bdi>(.*?)<\/bdi><\/a>/gs)].map(([, name]) => name);

let service: Service;
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
before(async () => {
  directory = await temporaryDirectory();
  const xml = signedMetadata(aggregateXml([...universities, ...special].join(''), inAnHour()), federation);
  await writeFile(directory.file('federation.xml'), xml);
  service = await startService(
    {
      identityProviders: [
        {
          metadata: directory.file('federation.xml'),
          federation: true,
          signingCertificates: federation.certificate,
        },
        describedProvider(honest, { name: 'A first one' }),
      ],
    },
    { 'pages.pictureHosts': 'cdn.example' },
  );
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

describe('the page for the choice of an identity provider', () => {
  it('lists identity providers in order with the number of all matches, and leaves out hidden ones', async () => {
    const page = await requestLogin(service);
    const names = namesOn(page);
    assert.equal(names.length, 25);
    assert.deepEqual(names.slice(0, 3), ['A first one', 'Universität Münster', 'University 00']);
    assert.match(page.html, /And <bdi>38<\/bdi> more/);
    assert.doesNotMatch(page.html, /Hidden/);
    assert.match(page.text, /Demo App/i);
  });

  for (const [query, expected] of [
    ['munster', ['Universität Münster']],
    ['MÜNSTER uni', ['Universität Münster']],
    ['westfalen', ['Universität Münster']],
    ['uni7.example', ['University 07']],
    ['idp8.example', ['University 08']],
    [
      'university 1',
      [
        'University 01',
        ...Array.from({ length: 10 }, (_, index) => `University 1${index}`),
        'University 21',
        'University 31',
        'University 41',
        'University 51',
      ],
    ],
    ['hidden', []],
    ['<script>', []],
  ] as const) {
    it(`finds the identity provider for ${JSON.stringify(query)} by a form without scripts`, async () => {
      const agent = new UserAgent();
      const page = await agent.submit(await requestLogin(service, agent), { q: query });
      assert.equal(page.status, 200);
      assert.deepEqual(namesOn(page), expected);
      if (expected.length === 0) assert.match(page.text, /Nothing found/);
    });
  }

  it('shows names in the language of the browser', async () => {
    const agent = new UserAgent({ 'accept-language': 'nl-BE' });
    const page = await agent.submit(await requestLogin(service, agent), { q: 'universiteit 59' });
    assert.deepEqual(namesOn(page), ['Universiteit 59']);
  });

  it('shows logos only from hosts that the operator trusts', async () => {
    const agent = new UserAgent();
    const page = await agent.submit(await requestLogin(service, agent), { q: 'logo' });
    assert.match(page.html, /<img class="tile" src="https:\/\/cdn\.example\/logo\.png"/);
    assert.match(page.headers.get('content-security-policy') ?? '', /img-src 'self' https:\/\/cdn\.example;/);
    assert.match(page.html, /With &lt;b&gt;&quot;Logo&quot;/);
  });

  it('sends the user to the chosen one, and shows it first the next time', async () => {
    const agent = new UserAgent();
    const found = await agent.submit(await requestLogin(service, agent), { q: 'university 42' });
    const [, href = ''] = /<a class="choice" href="([^"]+)"/.exec(found.html) ?? [];
    const away = await agent.get(new URL(href.replaceAll('&amp;', '&'), service.baseUrl).href);
    assert.ok(away.location?.startsWith('https://idp42.example/shibboleth/sso?SAMLRequest='), away.text);
    const again = await requestLogin(service, agent);
    assert.match(again.html, /Last time[\s\S]*University 42[\s\S]*role="search"/);
    // The user can still choose another one, also on the earlier page.
    const other = await agent.get(
      new URL(href.replaceAll('&amp;', '&').replace('idp42', 'idp43'), service.baseUrl).href,
    );
    assert.ok(other.location?.startsWith('https://idp43.example/'), other.text);
  });

  it('starts the login again when it was open for too long, and then leads on', async () => {
    const agent = new UserAgent();
    const page = await requestLogin(service, agent);
    const addressOf = ({ html }: Page, provider = '') => {
      const links = [...html.matchAll(/<a class="choice" href="([^"]+)"/g)].map(([, href = '']) => href);
      const href = links.find((link) => link.includes(provider)) ?? '';
      return new URL(href.replaceAll('&amp;', '&'), service.baseUrl).href;
    };
    const late = addressOf(page);
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 600_000 });
    try {
      for (const again of [await agent.submit(page, { q: 'university 42' }), await agent.get(late)]) {
        assert.equal(again.location, undefined);
        assert.ok(namesOn(again).includes('University 00'));
        const found = await agent.submit(again, { q: 'university 42' });
        const away = await agent.get(addressOf(found, 'idp42'));
        assert.ok(away.location?.startsWith('https://idp42.example/'), `${away.url} ${away.text}`);
      }
    } finally {
      mock.timers.reset();
    }
  });

  it('rejects an invalid choice', async () => {
    for (const choice of [
      'https://unknown.example',
      'javascript:alert(1)',
      'https://hidden.example%00',
      '__proto__',
    ]) {
      const agent = new UserAgent();
      const page = await requestLogin(service, agent);
      const { searchParams } = new URL(page.url);
      const query = new URLSearchParams({ auth_state: searchParams.get('auth_state') ?? '', choice });
      const end = await agent.get(`${service.baseUrl}/saml/discovery?${query}`);
      assert.equal(end.status, 403);
      assert.match(end.text, /You cannot sign in from that organisation/);
      assert.equal(service.refusedLogins().at(-1)?.check, 'provider');
    }
  });

  it('does not trust the remembered choice', async () => {
    const agent = new UserAgent();
    for (const remembered of ['https://unknown.example', '%3Cscript%3E', 'x'.repeat(3000)]) {
      agent.plantCookie(`watchword_choice=${remembered}; Path=/`);
      const page = await requestLogin(service, agent);
      assert.equal(page.status, 200);
      assert.doesNotMatch(page.html, /Last time|unknown\.example/);
    }
  });

  it('is not shown without an authorization request', async () => {
    for (const query of ['', '?auth_state=x', '?auth_state=019b76da-a800-7000-8000-000000000000']) {
      const page = await new UserAgent().get(`${service.baseUrl}/saml/discovery${query}`);
      assert.ok([400, 403].includes(page.status));
    }
  });
});

describe('an external discovery service', () => {
  it('gets the return URL, and its choice is used', async () => {
    await using external = await startService({
      identityProviders: [describedProvider(honest)],
      discoveryService: 'https://ds.example/choose?filter=a',
    });
    const agent = new UserAgent();
    const away = await requestLogin(external, agent);
    const url = new URL(away.location ?? assert.fail(away.text));
    assert.equal(`${url.origin}${url.pathname}`, 'https://ds.example/choose');
    assert.equal(url.searchParams.get('filter'), 'a');
    assert.equal(url.searchParams.get('entityID'), `${external.baseUrl}/saml/metadata`);
    const back = new URL(url.searchParams.get('return') ?? '');
    back.searchParams.set(url.searchParams.get('returnIDParam') ?? '', honest.entityId);
    const end = await agent.get(back.href);
    assert.ok(end.location?.startsWith(`${honest.entityId}/sso?`), end.text);
  });
});

describe('a server without loaded metadata', () => {
  it('starts, shows an error page, and logs the reason', async () => {
    await using site = await startSite((_request, response) => response.writeHead(500).end());
    await using waiting = await startService({ identityProviders: [{ metadata: `${site.url}/x` }] });
    const page = await requestLogin(waiting);
    assert.equal(page.status, 503);
    assert.match(page.headers.get('retry-after') ?? '', /^60$/);
    assert.match(waiting.server.log(), /"reason":"expected status 200, got 500".*could not be loaded/);
  });
});
