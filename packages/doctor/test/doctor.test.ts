import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { KeyRing, withNewSecret } from '@watchword/protocol';
import { systemClock, systemRandom } from '@watchword/server/system';
import { applyConfiguration, driftFromConfiguration } from '@watchword/server-testkit/clients/managed-client';
import { temporaryDirectory, until, watchword } from '@watchword/server-testkit/processes/process';
import { databaseFor, onlyOn } from '@watchword/server-testkit/servers/engine';
import { copyDemo, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { writeLock } from '@watchword/server-testkit/servers/write-lock';
import { openStore } from '@watchword/store-sql';
import { FakeClock, slowTest } from '@watchword/testkit';
import { testKey } from '@watchword/testkit/certificate';
import { startSite } from '@watchword/testkit/site';
import { assertionIssuers } from '../src/checks/assertion-issuers.ts';
import { clockCheck } from '../src/checks/clock.ts';
import { plainHttpFinding } from '../src/checks/plain-http.ts';
import { readiness } from '../src/checks/readiness.ts';
import { examineServer } from '../src/examine-server.ts';
import { isBroken, type NamedFinding } from '../src/finding.ts';
import { sender } from '../src/send.ts';
import { isWithin } from '../src/within.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from './support/faulty-proxy.ts';

interface Examined {
  readonly code: number | null;
  readonly ok: boolean;
  readonly firstBreak: string | null;
  readonly findings: readonly NamedFinding[];
}

describe('watchword doctor', () => {
  let proxy: FaultyProxy;
  let server: TestServer;
  let sealer: KeyRing;
  before(async () => {
    proxy = await startFaultyProxy();
    server = await startServer({
      baseUrl: `${proxy.url}/auth`,
      trustedProxies: '127.0.0.1',
      allowedHosts: 'backend',
    });
    proxy.server = server.port;
    const { sealingKeys } = server.service.store;
    sealer = await KeyRing.openExisting({ sealingKeys, clock: systemClock, random: systemRandom });
  });
  after(async () => {
    await proxy[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const place = () => ['--base-url', `${proxy.url}/auth`, '--host', '127.0.0.1', '--port', `${server.port}`];
  const args = () => [...place(), '--trusted-proxies', '127.0.0.1', '--database', server.database];

  /** Runs the command. */
  async function examined(given: readonly string[]): Promise<Examined> {
    const { code, stdout, stderr } = await watchword(['doctor', '--json', ...given]);
    assert.equal(stderr, '');
    return { code, ...JSON.parse(stdout) };
  }

  /** Examines the server through the proxy without the command line, which would open the database each time. */
  async function examinedBehind(fault: Fault): Promise<Pick<Examined, 'firstBreak' | 'findings'>> {
    const patient = {
      baseUrl: `${proxy.url}/auth`,
      localUrl: server.baseUrl,
      configuration: {
        authenticator: 'form',
        'clients.assertionIssuers': [],
        'passkeys.relyingPartyId': undefined,
        profile: 'compatible' as const,
        trustedProxies: ['127.0.0.1'],
      },
      sealer,
      clock: systemClock,
      send: sender(systemClock),
    };
    const findings: NamedFinding[] = [];
    proxy.fault = fault;
    await examineServer(patient, (finding) => findings.push(finding));
    proxy.fault = {};
    return { findings, firstBreak: findings.find(isBroken)?.check ?? null };
  }

  /** The texts of the findings that are not all right. */
  function complaints({ findings }: Pick<Examined, 'findings'>): string {
    return findings
      .filter(({ verdict }) => verdict === 'broken' || verdict === 'warning')
      .map(({ check, found, advice }) => `${check}: ${found} -> ${advice}`)
      .join('\n');
  }

  it('names the issuers whose keys the server cannot read, and why', async () => {
    await using cluster = await startSite((_request, response) => void response.end(), testKey('localhost'));
    const jwksUri = cluster.url.replace('127.0.0.1', 'localhost');
    const [issuer, usableBy] = ['spiffe://a.example', 'administrators'] as const;
    const settings = [{ jwksFile: '/missing.json' }, { jwksUri }];
    const findings = await assertionIssuers.run({
      clock: systemClock,
      configuration: {
        'clients.assertionIssuers': settings.map((setting) => ({ issuer, usableBy, ...setting })),
      },
    });
    const cannot = `broken: the keys of ${issuer} cannot be read`;
    const [file, url] = findings.map(({ verdict, found }) => `${verdict}: ${found}`);
    assert.match(file ?? '', new RegExp(`^${cannot}: /missing\\.json cannot be read: ENOENT`));
    assert.match(url ?? '', new RegExp(`^${cannot}: ${jwksUri} cannot be requested: TLS with localhost`));
  });

  it('names first what is broken, says what was expected and what mends it, and exits with 1', async () => {
    proxy.fault = { answer: (headers) => delete headers['set-cookie'] };
    const { code, stdout } = await watchword(['doctor', ...args()]);
    proxy.fault = {};
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^✗ cookies: the login page sets no cookie\n {4}expected: a cookie .*\n {4}to do: let the proxy pass Set-Cookie on/m,
    );
    assert.match(stdout, /\nThe first break is cookies: the login page sets no cookie\.\n$/);
  });

  it('names a configuration whose records have drifted and a client whose last secret soon expires', async () => {
    const { clients } = server.service.store;
    const { id, secret } = (await clients.find('demo-service')) ?? assert.fail('no client');
    const expires = Date.now() + 86_400_000;
    await clients.replaceSecret(id, withNewSecret('x', { description: '', expires }, undefined, 0));
    await applyConfiguration(server);
    await driftFromConfiguration(server);
    const [expiring, drifted, ...others] = (await examined(args())).findings
      .filter(({ check }) => check === 'configurations' || check === 'client-secrets')
      .map(({ check, verdict, found }) => `${check} ${verdict}: ${found}`)
      .toSorted();
    assert.match(expiring ?? '', /^client-secrets warning: the last secret of demo-service expires on /);
    assert.match(
      drifted ?? '',
      /^configurations warning: .*configuration shop .* such as the client Managed: .* watchword apply/,
    );
    assert.deepEqual(others, []);
    await applyConfiguration(server);
    await clients.replaceSecret(id, secret);
  });

  it('finds nothing to mend behind a proxy that passes everything on, and exits with 0', async () => {
    await applyConfiguration(server);
    await using directory = await temporaryDirectory();
    const jwksFile = directory.file('bundle.json');
    await writeFile(jwksFile, '{"keys":[{"kty":"EC","use":"jwt-svid"}]}');
    const { code, stdout } = await watchword(['doctor', ...args()], {
      env: {
        WATCHWORD_CLIENTS_ASSERTION_ISSUERS: JSON.stringify([{ issuer: 'spiffe://a.example', jwksFile }]),
      },
    });
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^✓ assertion-issuers: 1 key of spiffe:\/\/a\.example can be read$/m);
    assert.match(stdout, /^✓ configurations: /m);
    assert.doesNotMatch(stdout, /^[!✗-]/m);
    assert.match(stdout, /^✓ forwarding: clients have the address that the proxy reports/m);
    assert.match(stdout, /\n\nNothing is broken\.\n$/);
  });

  // What is broken, in the order of the checks, and what is said about it. No check depends on another but the address.
  const faults: Readonly<Record<string, readonly [Fault, readonly string[], ...(readonly RegExp[])]>> = {
    'removes Authorization, the cookies of requests and a security header, changes the path of cookies, and lets a client choose its address':
      [
        {
          request: (headers) => {
            delete headers.authorization;
            delete headers.cookie;
            const given = String(headers['x-forwarded-for']).split(', ');
            headers['x-forwarded-for'] = given.length > 1 ? given[0] : headers['x-forwarded-for'];
          },
          answer: (headers) => {
            delete headers['content-security-policy'];
            const cookies = [headers['set-cookie'] ?? []].flat().map(String);
            headers['set-cookie'] = cookies.map((text) => text.replace('Path=/auth', 'Path=/'));
          },
        },
        ['authorization', 'forwarding', 'cookies'],
        /removes or changes the header Authorization: http\S+\/userinfo answers with status 401.* -> let the proxy pass Authorization on unchanged .*proxy_set_header Authorization/,
        /takes any X-Forwarded-For of a client for its address -> let the proxy replace/,
        /of 107 characters of cookies, 0 reach the server -> let the proxy pass the header Cookie on/,
        /arrives changed: Path is \/, expected \/auth -> let the proxy pass Set-Cookie on unchanged/,
        /the login page has no content-security-policy/,
      ],
    'strips the path of the base URL': [
      { path: (path) => path.replace('/auth', '') },
      ['address'],
      /status 404, .* a Watchword server answers, but it got another path: let the proxy pass \/auth on and not strip it/,
    ],
    'does not reach the server': [
      { instead: () => [502] },
      ['address'],
      /status 502 -> the server itself answers at http:\/\/127\.0\.0\.1:\d+\/auth; the proxy at .* does not reach the server: correct its upstream/,
    ],
    'redirects to another address': [
      { instead: () => [301, { location: 'https://www.id.example/auth?code=secret' }] },
      ['address'],
      /status 301, a redirect to https:\/\/www\.id\.example\/auth -> clients do not follow/,
    ],
    'leads to another server': [
      { instead: () => [200, { 'content-type': 'text/plain' }] },
      ['address'],
      /status 200 -> the server itself answers at .*; another server answers at/,
    ],
    'rejects POST': [
      { instead: (method) => (method === 'POST' ? [405] : undefined) },
      ['identity', 'endpoints'],
      /endpoints: POST http\S+\/token \(token_endpoint\) answers with status 405 -> let the proxy pass POST requests/,
    ],
    'stores pages for other browsers': [
      { caches: true },
      ['caching'],
      /two browsers get the same login page: a cache stores it -> let the proxy respect Cache-Control/,
    ],
    'is not trusted, uses Authorization for itself, and takes URLs of 4,000 characters and short headers of answers only':
      [
        {
          from: '127.0.0.2',
          answerLimit: 8000,
          instead: (_method, path, headers) => {
            if (path.length > 4000) return [414];
            return headers.authorization === undefined ? undefined : [401];
          },
        },
        ['authorization', 'forwarding', 'limits'],
        /answers itself a request with the header Authorization: .*status 401 -> /,
        /does not trust the proxy at 127\.0\.0\.2: every client has that address -> name the address of the proxy, and only that, in trustedProxies/,
        /6,000 characters in its URL does not pass: status 414 -> .*large_client_header_buffers/,
        /an answer with 12,000 characters in its headers does not pass: status 502 -> .*proxy_buffer_size 32k/,
      ],
    'breaks nothing but sends no X-Forwarded-For, another X-Forwarded-Proto, URLs of 32 KiB only and a late Date':
      [
        {
          request: (headers) => {
            delete headers['x-forwarded-for'];
            headers['x-forwarded-proto'] = 'https';
          },
          answer: (headers) => {
            headers.date = new Date(Date.now() - 30_000).toUTCString();
          },
          instead: (_method, path) => (path.length > 32_768 ? [414] : undefined),
        },
        [],
        /behind a proxy, every client has its address \(127\.0\.0\.1\) -> .*proxy_set_header X-Forwarded-For/,
        /X-Forwarded-Proto is "https" -> /,
        /^limits: a request with 34,000 characters in its URL does not pass: status 414 -> [^\n]*$/m,
        /the clock that dates the answers \(Date header\) is (?:29|30)\.\d s behind the clock of this machine -> .*NTP/,
      ],
    'has the limits of nginx by default, a clock that is five minutes ahead, a second header of CORS, and does not pass on the path of RFC 8414':
      [
        {
          answerLimit: 4096,
          answer: (headers) => {
            headers.date = new Date(Date.now() + 300_000).toUTCString();
            headers['access-control-allow-origin'] = '*, https://id.example';
          },
          instead: (_method, path, headers) => {
            if (path.startsWith('/.well-known/')) return [404];
            if (path.length > 8192) return [414];
            return Object.values(headers).some((value) => String(value).length > 8192) ? [400] : undefined;
          },
        },
        ['clock', 'discovery', 'cors', 'limits'],
        /18,000 characters in its URL does not pass: status 414.*\n.*\n.*19,000 characters of cookies does not pass: status 400.*\n.*12,000 characters in its headers does not pass: status 502/,
        /\(Date header\) is \d+\.\d s ahead of the clock of this machine -> .*NTP/,
        /Access-Control-Allow-Origin: \*, https:\/\/id\.example -> .* not add its own/,
        /discovery: http\S+\/\.well-known\/oauth-authorization-server\/auth, where clients look for the metadata of a base URL with a path .*, answers with status 404 -> let the proxy lead this path to the server, unchanged: \/\.well-known\/oauth-authorization-server\/auth/,
      ],
  };

  for (const [what, [fault, breaks, ...says]] of Object.entries(faults)) {
    it(`finds out that a proxy ${what}`, async () => {
      const result = await examinedBehind(fault);
      const broken = result.findings.filter(isBroken).map(({ check }) => check);
      assert.deepEqual([...new Set(broken)], breaks, complaints(result));
      for (const finding of says) assert.match(complaints(result), finding);
      assert.doesNotMatch(JSON.stringify(result), /code=secret/);
    });
  }

  it('finds nothing to mend in a proxy that changes Host, sends no X-Forwarded-Proto and gives requests an id', async () => {
    const result = await examinedBehind({
      request: (headers) => {
        headers.host = 'backend:8080';
        headers['x-request-id'] = 'of-the-proxy';
        delete headers['x-forwarded-proto'];
      },
    });
    assert.equal(complaints(result), '');
    const found = result.findings.map((finding) => finding.found).join('\n');
    assert.match(found, /changes Host to backend:8080, which does not matter/);
    assert.match(found, /no X-Forwarded-Proto arrives, and none is needed/);
  });

  slowTest('does not take an answer of a cache for one of a clock that is behind', async () => {
    const result = await examinedBehind({
      answer: (headers, path) => {
        if (!path.includes('/.well-known/')) return;
        headers.date = new Date(Date.now() - 240_000).toUTCString();
        headers.age = '240';
      },
    });
    assert.equal(complaints(result), '');
  });

  it('takes no error of a proxy with an id of its own for one of the server', async () => {
    const instead = () => [404, { 'x-request-id': 'of-the-proxy' }] as const;
    assert.match(complaints(await examinedBehind({ instead })), /another server answers/);
  });

  it('says whether the server or only the way to it is down', async () => {
    const nothing = ['--base-url', 'http://127.0.0.1:1', '--database', server.database];
    const port = ['--host', '127.0.0.1', '--port', '1'];
    const down = await examined([...nothing, ...port]);
    assert.equal(down.firstBreak, 'address');
    assert.match(complaints(down), /ECONNREFUSED -> no server answers at http:\/\/127\.0\.0\.1:1: start it/);
    assert.equal(down.findings.at(-1)?.check, 'address');
  });

  it('finds out that another server, or a server of another database, answers', async () => {
    await using directory = await temporaryDirectory();
    const [unused, other] = [directory.file('unused.db'), directory.file('other.db')];
    await copyDemo(unused);
    await copyDemo(other);
    const never = await examined([...place(), '--database', unused]);
    assert.equal(never.firstBreak, 'database');
    assert.match(complaints(never), /no server has ever run on the database/);
    await withKey(await databaseFor(other));
    const result = await examined([...place(), '--database', other]);
    assert.equal(result.firstBreak, 'identity');
    assert.match(complaints(result), /uses another database -> name the database of the server/);
  });

  it('examines a server from outside by --url, and says what it cannot know there', async () => {
    const result = await examined(['--url', `${proxy.url}/auth/`]);
    assert.deepEqual([result.code, complaints(result)], [0, '']);
    const unknown = result.findings.filter(({ verdict }) => verdict === 'skipped');
    assert.deepEqual(
      unknown.map(({ check }) => check),
      ['identity', 'forwarding', 'cookies', 'limits'],
    );
    assert.match(String(unknown[0]?.advice), /without --url/);
  });

  slowTest(
    'finds out from outside that a proxy has a wrong clock, short limits, or removes Authorization, and exits with 1',
    async () => {
      const faultsFromOutside: [string, Fault, RegExp][] = [
        [
          'clock',
          {
            answer: (headers) => {
              headers.date = new Date(Date.now() - 300_000).toUTCString();
            },
          },
          /is \d+\.\d s behind/,
        ],
        [
          'limits',
          { instead: (_method, path) => (path.length > 8192 ? [414] : undefined) },
          /18,000 characters in its URL/,
        ],
        ['authorization', { request: (headers) => delete headers.authorization }, /removes or changes/],
      ];
      for (const [check, fault, says] of faultsFromOutside) {
        proxy.fault = fault;
        const result = await examined(['--url', `${proxy.url}/auth`]);
        proxy.fault = {};
        assert.deepEqual([result.code, result.firstBreak], [1, check], complaints(result));
        assert.match(complaints(result), says);
      }
    },
  );

  it('sends nothing to an endpoint that is not below the base URL, and plays no flow there', async () => {
    await using site = await startSite((_, response) => response.end());
    const moved = (text: string, path: string) =>
      path.includes('/.well-known/')
        ? text.replaceAll(`${proxy.url}/auth/oauth2`, `${site.url}/oauth2`)
        : text;
    proxy.fault = { text: moved };
    const result = await examined([...args(), 'demo-service']);
    proxy.fault = {};
    assert.deepEqual([result.code, result.firstBreak], [1, 'endpoints']);
    assert.match(
      complaints(result),
      /^endpoints: the metadata has the token_endpoint http\S+ -> let the proxy pass/m,
    );
    assert.ok(!result.findings.some(({ check }) => check === 'registration'));
    assert.equal(site.requests.length, 0);
  });

  it('takes an address for one of the server only at its host and below its path', () => {
    const base = 'https://id.example/auth';
    for (const inside of [base, `${base}/token`, `${base}?a=b`, `${base}/`])
      assert.ok(isWithin(base, inside));
    const outside = ['http://id.example/auth', 'https://id.example.evil/auth', `${base}ority`, 'x'];
    const climbing = [`${base}/../token`, `${base}/%2e%2e/token`];
    for (const url of [...outside, ...climbing]) assert.ok(!isWithin(base, url), url);
    assert.ok(isWithin('https://id.example', 'https://id.example/token'));
  });

  it('reports a server that cannot write', onlyOn('sqlite', 'locks the file'), async () => {
    const patient = { baseUrl: proxy.url, localUrl: server.baseUrl, clock: systemClock, metadata: {} };
    const examinedNow = async () =>
      readiness.run({ ...patient, send: sender(systemClock), configuration: undefined, ...noDatabase });
    await using _lock = await writeLock(server.database);
    // The server remembers for a moment that it could write.
    await until(async () => (await examinedNow())[0]?.verdict === 'broken', 100);
    const [finding] = await examinedNow();
    assert.match(String(finding?.found), /readyz answers with status 503, error temporarily_unavailable/);
    assert.match(String(finding?.advice), /"watchword check" examines the database/);
  });

  it('compares the clock of the server with a tolerance of two seconds', async () => {
    const echo = async () => ({ time: 1_000_000 }) as never;
    await using site = await startSite((_, response) => response.writeHead(200, { date: '' }).end('{}'));
    const findingsAt = async (now: number) => {
      const clock = new FakeClock(now);
      const patient = {
        baseUrl: site.url,
        clock,
        send: sender(clock),
        echo,
        metadata: {},
        localUrl: undefined,
      };
      return clockCheck.run({ ...patient, configuration: undefined, sealer: undefined });
    };
    assert.equal((await findingsAt(998_001))[0]?.verdict, 'ok');
    assert.equal((await findingsAt(1_001_999))[0]?.verdict, 'ok');
    assert.match(
      String((await findingsAt(997_000))[0]?.found),
      /is 3\.0 s ahead of the clock of this machine/,
    );
    assert.match(
      String((await findingsAt(1_003_500))[0]?.found),
      /is 3\.5 s behind the clock of this machine/,
    );
  });

  slowTest('warns of a redirect to https that turns POST into GET', async () => {
    for (const [status, verdict] of [
      [301, 'warning'],
      [302, 'warning'],
      [307, 'ok'],
      [308, 'ok'],
      [403, 'ok'],
      [200, 'warning'],
    ] as const) {
      await using site = await startSite((_, response) =>
        response.writeHead(status, { location: 'https://id.example/oauth2/token' }).end(),
      );
      assert.equal((await plainHttpFinding({ send: sender(systemClock) }, site.url)).verdict, verdict);
    }
    const nothing = await plainHttpFinding({ send: sender(systemClock) }, 'http://127.0.0.1:1');
    assert.equal(nothing.verdict, 'ok');
  });

  it('exits with 2 for a wrong use', async () => {
    for (const [given, says] of [
      [['--login', 'emma'], /expected a clientId too/],
      [['--secrets-stdin'], /expected a clientId too/],
      [['--url', 'id.example'], /expected the base URL of a server/],
      [['--url', 'https://id.example', '--database', 'x.db'], /expected only one of them/],
      [['demo-app', '--token-stdin'], /expected --url <baseUrl> and a clientId/],
    ] as const) {
      const { code, stderr, stdout } = await watchword(['doctor', ...given]);
      assert.deepEqual([code, stdout], [2, ''], given.join(' '));
      assert.match(stderr, says);
    }
  });
});

const noDatabase = { sealer: undefined, echo: undefined };

/** As a server that has run on the database. */
async function withKey(database: string): Promise<void> {
  const store = await openStore({ database, clock: systemClock, isMachineClock: true } as never);
  await KeyRing.open({ sealingKeys: store.sealingKeys, clock: systemClock, random: systemRandom });
  await store.close();
}
