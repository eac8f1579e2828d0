import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildClient, buildResourceServer, rounds } from '@watchword/testkit';
import { anyText } from '@watchword/testkit/any-text';
import fc from 'fast-check';
import { isClientCertain } from '../../src/authorize/remembered-consent.ts';
import { atRedirectUri } from '../../src/authorize/targets/at-redirect-uri.ts';
import { query } from '../../src/authorize/targets/redirect.ts';
import { isLoopbackHost, redirectUriProblem } from '../../src/model/redirect-uri.ts';
import { administrationClientId } from '../../src/rules/built-in-records.ts';
import { sectorHost } from '../../src/rules/sector.ts';

const allowed = [
  'https://a.example',
  'https://a.example/cb',
  'https://a.example:8443/cb?x=1&y=%20',
  'https://xn--bcher-kva.example/cb',
  'https://[2001:db8::1]/cb',
  'http://localhost/cb',
  'http://localhost:3000/cb',
  'http://127.0.0.1:3000/cb',
  'http://127.1.2.3/cb',
  'http://[::1]:3000/cb',
  'com.example.app:/cb',
  'com.example.app://cb',
  'com.example.App://cb',
  'HTTPS://A.example/cb',
  'HTTP://LocalHost:3000/cb',
  'https://a.example/cb?to=http://u@b.example/',
  `https://a.example/${'x'.repeat(1982)}`,
];

// AR-7 of the list of attacks, and what is close to it.
const refused = {
  'no text': '',
  'a relative reference': '/cb',
  'a network-path reference': '//a.example/cb',
  'no scheme': 'a.example/cb',
  'javascript:': 'javascript:alert(1)',
  'javascript: in mixed case': 'JaVaScRiPt:alert(1)',
  'a tab in javascript:': 'java\tscript:alert(1)',
  'a space before javascript:': ' javascript:alert(1)',
  'javascript: that looks like https': 'javascript://a.example/%0aalert(1)',
  'data:': 'data:text/html,x',
  'vbscript:': 'vbscript:msgbox',
  'file:': 'file:///etc/passwd',
  'blob:': 'blob:https://a.example/1',
  'about:': 'about:blank',
  'ftp:': 'ftp://a.example/cb',
  'ws:': 'wss://a.example/cb',
  'a scheme without a dot': 'myapp://cb',
  'http elsewhere than on this machine': 'http://a.example/cb',
  'http on a name that begins like localhost': 'http://localhost.a.example/cb',
  'http on a name that ends like localhost': 'http://a.localhost/cb',
  'http on a name that begins like a loopback address': 'http://127.0.0.1.a.example/cb',
  'http on a private address': 'http://192.168.0.1/cb',
  'http on the unspecified address': 'http://0.0.0.0/cb',
  'a fragment': 'https://a.example/cb#x',
  'an empty fragment': 'https://a.example/cb#',
  'a user name': 'https://u@a.example/cb',
  'a user name and password': 'https://u:p@a.example/cb',
  'a password alone': 'https://:p@a.example/cb',
  'a user name in a private-use scheme': 'com.example.app://u@cb',
  'a loopback address as user name': 'http://127.0.0.1@a.example/cb',
  'a wildcard in the host': 'https://*.a.example/cb',
  'a wildcard in the path': 'https://a.example/*',
  'a control character': 'https://a.example/\u0001',
  'a NUL': 'https://a.example/\0',
  'a line end': 'https://a.example/cb\n',
  'a tab': 'https://a.example/c\tb',
  'a space': 'https://a.example/c b',
  'a trailing space': 'https://a.example/cb ',
  'a backslash': 'https://a.example\\@b.example',
  'a non-ASCII host': 'https://bücher.example/cb',
  'a non-ASCII path': 'https://a.example/é',
  'a quote': 'https://a.example/"x',
  'angle brackets': 'https://a.example/<x>',
  'https without slashes': 'https:a.example',
  'https with one slash': 'https:/a.example',
  'http without slashes': 'http:localhost',
  'no host': 'https://',
  'no host before a path': 'https:///a.example/cb',
  'a comma in the host': 'https://a,b.example/cb',
  'a comma in the host, before another URL': 'https://a,b.example/?https://c.example/',
  'a semicolon in the host': 'https://a;script-src.example/cb',
  'a quote in the host': "https://a'b.example/cb",
  'a percent-encoded host': 'https://%61.example/cb',
  'a port that is none': 'https://a.example:99999/cb',
  'more than 2000 characters': `https://a.example/${'x'.repeat(1983)}`,
};

describe('a redirect URI', () => {
  for (const uri of allowed) {
    it(`${uri.slice(0, 60)} may be registered`, () => assert.equal(redirectUriProblem(uri), undefined));
  }

  for (const [what, uri] of Object.entries(refused)) {
    it(`with ${what} may not be registered`, () => assert.equal(typeof redirectUriProblem(uri), 'string'));
  }

  it('may not be registered, and the problem names the rule', () => {
    for (const [uri, rule] of [
      ['/cb', 'is not absolute'],
      ['/cb?to=x:1', 'is not absolute'],
      ['a.example\u200b/cb', 'such as https: (U+200B at position 10)'],
      ['https://a.example/cb#', 'has a fragment'],
      ['https://*.a.example/cb', 'has a wildcard'],
      ['https://a.example/c b', 'has a character that no URI has'],
      ['https://a.example:99999/cb', 'host or port is malformed'],
      ['JavaScript:alert(1)', 'neither https nor a private-use scheme'],
    ] as const) {
      assert.ok(redirectUriProblem(uri)?.includes(rule), `${uri}: ${redirectUriProblem(uri)}`);
    }
  });

  it('may not hold a user name and password that are empty', () => {
    for (const uri of ['https://@a.example/cb', 'https://:@a.example/cb']) {
      assert.equal(typeof redirectUriProblem(uri), 'string', uri);
    }
  });

  it('is accepted or rejected without an exception, for any text', () => {
    const piece = fc.constantFrom(
      'https:',
      'http:',
      '//',
      '/',
      '@',
      ':',
      '[',
      ']',
      '::1',
      '%',
      'a.b',
      '127.1',
      '?',
    );
    // fc.webUrl() first fills a table of all code points, which takes more than a second.
    const url = fc
      .tuple(fc.constantFrom('https', 'http', 'ftp'), fc.domain(), anyText(), anyText())
      .map(([scheme, host, path, query]) => {
        return `${scheme}://${host}/${encodeURIComponent(path)}?${encodeURIComponent(query)}`;
      });
    const anything = fc.oneof(
      anyText(),
      url,
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(anything, (uri) => {
        const problem = redirectUriProblem(uri);
        if (problem !== undefined) return assert.match(problem, /^[\x20-\x7e]+$/);
        const { protocol, hostname, hash } = new URL(uri);
        assert.equal(hash, '');
        if (protocol === 'http:') assert.ok(isLoopbackHost(hostname));
        else assert.ok(protocol === 'https:' || protocol.includes('.'));
      }),
      { numRuns: rounds(300, 1000) },
    );
  });
});

describe('a loopback host', () => {
  it('is localhost, ::1 or of 127/8, and no name that only looks so', () => {
    for (const host of ['localhost', '[::1]', '127.0.0.1', '127.255.0.3'])
      assert.ok(isLoopbackHost(host), host);
    for (const host of [
      '',
      'localhost.',
      'localhost.example',
      '::1',
      '128.0.0.1',
      '127.0.0.1.example',
      '1127.0.0.1',
    ]) {
      assert.equal(isLoopbackHost(host), false, host);
    }
  });
});

describe('a redirect URI of a request', () => {
  const isAllowed = (uri: string, registered: string, clientId = 'app') =>
    atRedirectUri.isAllowedFor(uri, buildClient({ clientId, redirectUris: [registered] }));

  it('is the registered one, but for the port of a loopback host', () => {
    for (const [uri, registered, expected] of [
      ['https://a.example/cb', 'https://a.example/cb', true],
      ['https://a.example/cb/', 'https://a.example/cb', false],
      ['https://a.example:8443/cb', 'https://a.example/cb', false],
      ['http://localhost:5000/cb', 'http://localhost/cb', true],
      ['http://127.0.0.1/cb', 'http://127.0.0.1:3000/cb', true],
      ['http://127.0.0.1:5000/cb', 'http://localhost/cb', false],
      ['http://localhost:5000/other', 'http://localhost/cb', false],
      ['https://a.example/cb?to=http://localhost:2/', 'https://a.example/cb?to=http://localhost:1/', false],
    ] as const) {
      assert.equal(isAllowed(uri, registered), expected, `${uri} for ${registered}`);
    }
  });

  it('is exactly the registered one for the administration pages', () => {
    const registered = 'http://localhost:8080/client/client.html';
    assert.ok(isAllowed(registered, registered, administrationClientId));
    assert.ok(!isAllowed(registered.replace('8080', '8081'), registered, administrationClientId));
    assert.ok(isAllowed(registered.replace('8080', '8081'), registered));
  });
});

describe('the redirect URI of a public client', () => {
  const isCertain = (redirectUri: string, confidential = false) =>
    isClientCertain(
      {
        client: buildClient({ confidential }),
        resourceServer: buildResourceServer(),
        target: { kind: query, address: redirectUri },
      },
      { issuer: 'http://localhost:8080/as' },
    );

  it('is certain to reach it alone at an https address and at the own server, and nowhere else', () => {
    for (const uri of ['https://a.example/cb', 'HTTPS://a.example/cb', 'http://localhost:8080/as/client']) {
      assert.equal(isCertain(uri), true, uri);
    }
    for (const uri of [
      'com.example.app:/cb',
      'com.example.app:/https://a.example/',
      'http://localhost:8080/asx/cb',
      'http://localhost:9090/cb?http://localhost:8080/as/',
    ]) {
      assert.equal(isCertain(uri), false, uri);
      assert.equal(isCertain(uri, true), true, uri);
    }
  });
});

describe('the target of a redirect URI', () => {
  for (const [uri, shown, formTarget] of [
    ['https://app.example/cb?x=1', 'app.example', 'https://app.example'],
    ['https://app.example:8443/cb', 'app.example:8443', 'https://app.example:8443'],
    ['http://127.0.0.1:4711/cb', '127.0.0.1:4711', 'http://127.0.0.1:4711'],
    ['http://[::1]:4711/cb', '[::1]:4711', 'http://[::1]:4711'],
    ['com.example.app:/cb', 'com.example.app', 'com.example.app:'],
    // Any application on the device can have this scheme, so the host has no meaning.
    ['com.example.app://bank.example/cb', 'com.example.app', 'com.example.app:'],
  ] as const) {
    it(`is shown as ${shown} for ${uri}`, () => {
      const { host, formTarget: allowed } = query.destination(uri);
      assert.deepEqual([host, allowed], [shown, formTarget]);
    });
  }
});

describe('the host of a sector', () => {
  it('is that of an https URL, and none of any other text', () => {
    assert.equal(sectorHost('https://a.example:8443/cb'), 'a.example');
    for (const uri of ['http://localhost/cb', 'com.example.app://a.example/cb', 'https://', 'x', '']) {
      assert.equal(sectorHost(uri), '', uri);
    }
  });
});
