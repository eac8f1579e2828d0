import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anyText } from '@watchword/testkit/any-text';
import fc from 'fast-check';
import { parseBasicCredentials } from '../../../protocol/src/clients/authentication/client-secret-basic.ts';
import { longestAccessToken } from '../../../protocol/src/tokens/formats/token-length.ts';
import { isPreflight } from '../../src/bearer/preflight.ts';
import { formatChallenge } from '../../src/errors.ts';
import { credential } from '../../src/options/kinds.ts';
import { basicCredentials } from '../../src/requests/basic-credentials.ts';
import { longestPause, retryAfterOf } from '../../src/requests/unavailable.ts';
import { isTokenSyntax, readAuthorization } from '../../src/token-syntax.ts';

describe('an Authorization header', () => {
  for (const [header, expected] of [
    ['Bearer abc', { scheme: 'Bearer', token: 'abc' }],
    ['bearer abc', { scheme: 'Bearer', token: 'abc' }],
    ['BEARER   abc', { scheme: 'Bearer', token: 'abc' }],
    ['Bearer abc ', { scheme: 'Bearer', token: 'abc' }],
    ['Bearer a-._~+/9Z==', { scheme: 'Bearer', token: 'a-._~+/9Z==' }],
    ['', 'missing'],
    ['Basic YTpi', 'missing'],
    ['Bearerabc', 'missing'],
    ['abc', 'missing'],
    ['Bearer', 'malformed'],
    ['Bearer ', 'malformed'],
    ['Bearer a b', 'malformed'],
    ['Bearer a, Bearer b', 'malformed'],
    ['Bearer "abc"', 'malformed'],
    ['Bearer =', 'malformed'],
    ['Bearer a=b', 'malformed'],
    ['Bearer a\r\nx: y', 'malformed'],
    ['Bearer ä', 'malformed'],
  ] as const) {
    it(`of ${JSON.stringify(header)} gives ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(readAuthorization(header), expected);
    });
  }

  it('gives a token only in the syntax of a bearer token, for any header', () => {
    const pieces = fc.constantFrom('Bearer ', 'bearer', ' ', 'abc', '=', ',', '\n', '\0', 'é', '"', '/');
    const headers = fc.oneof(
      fc.string(),
      fc.array(pieces).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(headers, (header) => {
        const found = readAuthorization(header);
        assert.ok(typeof found === 'string' || isTokenSyntax(found.token));
      }),
    );
  });

  it('takes no time when it is long and hostile', () => {
    for (const part of ['a', '=', ' ', 'Bearer ', 'a=', 'bearer a ']) {
      assert.notEqual(readAuthorization(`Bearer ${part.repeat(100_000)}!`), 'missing');
    }
  });
});

describe('a token', () => {
  it('has at most as many characters as the server issues, so that no API hashes megabytes', () => {
    assert.ok(isTokenSyntax('a'.repeat(longestAccessToken)));
    assert.ok(!isTokenSyntax('a'.repeat(longestAccessToken + 1)));
  });

  for (const value of [undefined, null, 1, {}, ['abc'], '', '=', 'a b', 'a\n', 'a\0', 'ä']) {
    it(`is never ${JSON.stringify(value) ?? 'undefined'}`, () => assert.ok(!isTokenSyntax(value)));
  }
});

describe('a challenge', () => {
  it('names realm, scope, error and description in quotes', () => {
    assert.equal(
      formatChallenge({ realm: 'orders', scope: ['read', 'write'] }, { error: 'invalid_token' }),
      'Bearer realm="orders", scope="read write", error="invalid_token"',
    );
    assert.equal(formatChallenge({}), 'Bearer realm="api"');
  });

  it('contains nothing that ends a quoted string or a line', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), fc.string(), (realm, scope, description) => {
        const header = formatChallenge({ realm, scope }, { error_description: description });
        assert.match(header, /^Bearer (?:[a-z_]+="[\x20\x21\x23-\x5B\x5D-\x7E]*"(?:, |$))+$/);
      }),
    );
  });
});

describe('a preflight', () => {
  const header = (present: Record<string, string | null>) => (name: string) => present[name];
  const both = { origin: 'https://a.example', 'access-control-request-method': 'PUT' };

  it('is OPTIONS with an origin and the method of the next request, and nothing else', () => {
    assert.ok(isPreflight('OPTIONS', header(both)));
    assert.ok(!isPreflight('GET', header(both)));
    assert.ok(!isPreflight('options', header(both)));
    assert.ok(!isPreflight(undefined, header(both)));
    assert.ok(!isPreflight('OPTIONS', header({ origin: 'https://a.example' })));
    assert.ok(!isPreflight('OPTIONS', header({ ...both, origin: null })));
  });
});

describe('Basic credentials', () => {
  it('are read by the server without a change, with any characters', () => {
    const credentials = anyText().filter((value) => credential.isValid(value));
    fc.assert(
      fc.property(credentials, credentials, (id, secret) => {
        assert.deepEqual(parseBasicCredentials(basicCredentials(id, secret)), { id, proof: secret });
      }),
    );
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 1);
  for (const [header, seconds] of [
    [null, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-5', 1],
    ['0', 1],
    ['7', 7],
    ['99999999999999999999999', longestPause],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30],
    ['Thu, 01 Jan 2026 00:00:00 GMT', 1],
    ['Thu, 01 Jan 2037 00:00:00 GMT', longestPause],
  ] as const) {
    it(`of ${JSON.stringify(header)} is ${seconds}`, () => assert.equal(retryAfterOf(header, now), seconds));
  }
});
