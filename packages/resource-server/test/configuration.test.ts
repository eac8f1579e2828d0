import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ConfigurationError,
  createTokenVerifier,
  optionsFromEnvironment,
  type TokenVerifierOptions,
} from '../src/index.ts';

const good = {
  tokenInfoUrl: 'https://id.example.com/v1/tokeninfo',
  key: 'orders-api',
  secret: 'its-secret',
} as const;

const environment = {
  WATCHWORD_TOKENINFO_URL: good.tokenInfoUrl,
  WATCHWORD_TOKENINFO_KEY: good.key,
  WATCHWORD_TOKENINFO_SECRET: good.secret,
};

function optionErrors(make: () => unknown): Record<string, string> {
  try {
    make();
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    for (const { name, problem } of error.errors)
      assert.ok(error.message.includes(`\n  ${name}: ${problem}`));
    assert.doesNotMatch(error.message, /its-secret/);
    return Object.fromEntries(error.errors.map(({ name, problem }) => [name, problem]));
  }
  return {};
}

const faultsOfOptions = (options: unknown) =>
  optionErrors(() => createTokenVerifier(options as TokenVerifierOptions));

describe('the options', () => {
  it('need an address and credentials, and nothing else', () => {
    assert.deepEqual(faultsOfOptions(good), {});
    assert.deepEqual(
      faultsOfOptions({ ...good, tokenInfoUrl: undefined, url: 'https://id.example.com/auth/' }),
      {},
    );
    assert.deepEqual(Object.keys(faultsOfOptions({})), ['url', 'key', 'secret']);
    assert.deepEqual(Object.keys(faultsOfOptions(null)), ['url', 'key', 'secret']);
  });

  it('name a character that nobody sees, but none of a credential', () => {
    for (const [given, shown] of [
      ['\u200bhttps://id.example.com', '"\\u200bhttps://id.example.com" (U+200B at position 1)'],
      ['https://😀\u{e0020} a', '"https://😀\\u{e0020} a" (U+E0020 at position 10)'],
      [
        '\u200b'.repeat(5),
        `"${'\\u200b'.repeat(5)}" (U+200B at position 1, U+200B at position 2, U+200B at position 3 and 2 more)`,
      ],
    ] as const) {
      const { tokenInfoUrl = '' } = faultsOfOptions({ ...good, tokenInfoUrl: given });
      assert.ok(tokenInfoUrl.endsWith(`, got ${shown}`), tokenInfoUrl);
    }
    assert.match(
      faultsOfOptions({ ...good, secret: ' x\u200b' }).secret ?? '',
      /got text that is not shown$/,
    );
  });

  it('have one address: the base URL of the server, or that of token info', () => {
    const problem = 'expected the base URL of the server, or tokenInfoUrl in its place, got ';
    const { tokenInfoUrl, ...credentials } = good;
    assert.deepEqual(faultsOfOptions(credentials), { url: `${problem}nothing` });
    assert.deepEqual(faultsOfOptions({ ...good, url: 'https://id.example.com' }), { url: `${problem}both` });
    for (const url of [tokenInfoUrl, `${tokenInfoUrl}/`]) {
      assert.deepEqual(faultsOfOptions({ ...credentials, url }), { url: `${problem}"${url}"` });
    }
  });

  it('can be undefined when they have a default', () => {
    const { length: _, ...nothing } = { length: 0, cache: undefined, timeout: undefined, fetch: undefined };
    assert.deepEqual(faultsOfOptions({ ...good, ...nothing, jsonTypeInfoIncluded: undefined }), {});
    assert.deepEqual(faultsOfOptions({ ...good, cache: { ttl: undefined } }), {});
  });

  it('are all checked, and each problem names the expected and the given value', () => {
    assert.deepEqual(
      faultsOfOptions({
        tokenInfoUrl: 'id.example.com',
        key: '',
        secret: 'its-secret\n',
        jsonTypeInfoIncluded: 'true',
        timeout: 0,
        fetch: 'fetch',
        publicUrl: 'api.example',
        dpop: { algorithms: ['HS256'], window: 1, usedProofs: {}, nonceSecret: 'its-secret' },
        cache: { ttl: -1, maxEntries: 1.5, negativeTtl: 60_001, staleIfError: 3_600_001, size: 1 },
        timeOut: 1,
      }),
      {
        tokenInfoUrl: 'expected an http(s) URL without user, query and fragment, got "id.example.com"',
        key: 'expected text without white space at its ends and without NUL, got nothing',
        secret: 'expected text without white space at its ends and without NUL, got text that is not shown',
        jsonTypeInfoIncluded: 'expected true or false, got "true"',
        timeout: 'expected a whole number of milliseconds from 1 to 60000, got 0',
        fetch: 'expected a function, got "fetch"',
        publicUrl:
          'expected an http(s) URL without user, query and fragment, or a list of them, got "api.example"',
        'dpop.algorithms':
          'expected a list of one algorithm of ES256, ES384, ES512, EdDSA, Ed25519, PS256, RS256 or more, got "HS256"',
        'dpop.window': 'expected a whole number of milliseconds from 1000 to 600000, got 1',
        'dpop.usedProofs': 'expected an object with the function use, got a value of type object',
        'dpop.nonceSecret':
          'expected text without white space at its ends and without NUL, of 32 characters or more, got text that is not shown',
        'cache.ttl': 'expected a whole number of milliseconds from 0 to 86400000, got -1',
        'cache.maxEntries': 'expected a whole number of entries from 1 to 10000000, got 1.5',
        'cache.negativeTtl': 'expected a whole number of milliseconds from 0 to 60000, got 60001',
        'cache.staleIfError': 'expected a whole number of milliseconds from 0 to 3600000, got 3600001',
        'cache.size': `expected one of ${names}`,
        timeOut: `expected one of ${names}`,
      },
    );
  });

  it('take the URIs of the API, and what its metadata say', () => {
    const { tokenInfoUrl: _, ...credentials } = good;
    const connected = { ...credentials, url: 'https://id.example.com/' };
    for (const resource of [
      'https://api.example',
      'https://api.example/mcp?tenant=1',
      'http://localhost:3000/mcp',
      'http://[::1]',
      ['https://api.example/', 'https://api.example/v2'],
    ]) {
      assert.deepEqual(faultsOfOptions({ ...connected, resource }), {}, String(resource));
    }
    for (const resource of [
      '',
      'api.example',
      'http://api.example',
      'http://localhost.example',
      'https://api.example/#part',
      'https://user@api.example',
      'https://api.example/"',
      'https://api.example/\\',
      'https://api.example/ a',
      'https://api.example/caf\u00e9',
      'urn:example:api',
      [],
      ['https://api.example', 'api'],
      7,
    ]) {
      const { resource: fault } = faultsOfOptions({ ...connected, resource });
      const expected =
        'expected an https URL without user and fragment (http on loopback), or a list of them, got ';
      assert.ok(fault?.startsWith(expected), `${JSON.stringify(resource)}: ${fault}`);
    }
    const resource = 'https://api.example';
    const resourceMetadata = {
      authorization_servers: [],
      scopes_supported: ['a b'],
      resource_name: '\u200b',
      resource_documentation: 'docs',
      resource: 'https://other.example',
    };
    assert.deepEqual(faultsOfOptions({ ...connected, resource, resourceMetadata }), {
      'resourceMetadata.authorization_servers':
        'expected a list of one http(s) URL without user, query and fragment or more, got nothing',
      'resourceMetadata.scopes_supported':
        'expected a list of one scope token (RFC 6749 section 3.3) or more, got "a b"',
      'resourceMetadata.resource_name':
        'expected text that people can read, got "\\u200b" (U+200B at position 1)',
      'resourceMetadata.resource_documentation': 'expected an http(s) URL, got "docs"',
      'resourceMetadata.resource': `expected one of ${names}`,
    });
    assert.deepEqual(faultsOfOptions({ ...connected, resourceMetadata: { resource_name: 'Orders' } }), {
      resource: 'expected the URI that resourceMetadata are of, got nothing',
    });
    assert.deepEqual(faultsOfOptions({ ...good, resource }), {
      issuer: 'expected the issuer of the server, which clients with resource go to, got nothing',
    });
  });

  it('take a certificate from a named header of named proxies alone', () => {
    const clientCertificate = {
      header: 'Client-Cert',
      form: 'rfc9440',
      trustedProxies: ['10.0.0.0/8', '::1'],
    };
    assert.deepEqual(faultsOfOptions({ ...good, clientCertificate }), {});
    assert.deepEqual(
      faultsOfOptions({
        ...good,
        clientCertificate: { header: 'a b', form: 'der', trustedProxies: ['proxy'] },
      }),
      {
        'clientCertificate.header': 'expected the name of a header, got "a b"',
        'clientCertificate.form': 'expected pem, rfc9440, base64 or xfcc, got "der"',
        'clientCertificate.trustedProxies':
          'expected * or a list of one IP address or range such as 10.0.0.0/8 or more, got "proxy"',
      },
    );
    assert.deepEqual(
      Object.keys(faultsOfOptions({ ...good, clientCertificate: { header: 'Client-Cert' } })),
      ['clientCertificate.form', 'clientCertificate.trustedProxies'],
    );
  });

  it('reject false for a cache that is off', () => {
    const { cache } = faultsOfOptions({ ...good, cache: false });
    assert.equal(cache, 'expected an object, got false; ttl: 0 switches it off');
  });

  for (const tokenInfoUrl of [
    'ftp://id.example.com/',
    'https://',
    'https:///v1',
    '/v1/tokeninfo',
    'https://user:pass@id.example.com/',
    'https://user@id.example.com/',
    'https://id.example.com/v1/tokeninfo?x=y',
    'https://id.example.com/v1/tokeninfo#x',
    'https://id.example.com/v1/token info',
    'https://id.example.com\\v1',
    'https://[::1',
    ' https://id.example.com/',
    'https://id.example.com/\n',
  ]) {
    it(`reject ${JSON.stringify(tokenInfoUrl)} as an address`, () => {
      assert.deepEqual(Object.keys(faultsOfOptions({ ...good, tokenInfoUrl })), ['tokenInfoUrl']);
      const { key, secret } = good;
      assert.ok('url' in faultsOfOptions({ url: tokenInfoUrl, key, secret }));
    });
  }

  it('do not repeat a password in an address', () => {
    const { tokenInfoUrl } = faultsOfOptions({
      ...good,
      tokenInfoUrl: 'https://me:pass@word@id.example.com/',
    });
    assert.match(tokenInfoUrl ?? '', /got "https:\/\/\[redacted\]@id\.example\.com\/"$/);
  });

  for (const secret of [' x', 'x\r\n', 'a\0b', '\uD800', '\uDC00x', 42, null]) {
    it(`reject ${JSON.stringify(secret)} as a secret`, () => {
      assert.deepEqual(Object.keys(faultsOfOptions({ ...good, secret })), ['secret']);
    });
  }

  it('accept characters that Basic must encode', () => {
    assert.deepEqual(faultsOfOptions({ ...good, key: 'a:b c', secret: 'ü😀%+&' }), {});
  });
});

const names = [
  'url',
  'tokenInfoUrl',
  'key',
  'secret',
  'jsonTypeInfoIncluded',
  'issuer',
  'resource',
  'publicUrl',
  'timeout',
  'fetch',
  'warn',
  'resourceMetadata.authorization_servers',
  'resourceMetadata.scopes_supported',
  'resourceMetadata.resource_name',
  'resourceMetadata.resource_documentation',
  'resourceMetadata.resource_policy_uri',
  'resourceMetadata.resource_tos_uri',
  'dpop.algorithms',
  'dpop.window',
  'dpop.usedProofs',
  'dpop.nonceSecret',
  'clientCertificate.header',
  'clientCertificate.form',
  'clientCertificate.trustedProxies',
  'jwt.local',
  'jwt.clockTolerance',
  'jwt.maxListAge',
  'cache.ttl',
  'cache.maxEntries',
  'cache.negativeTtl',
  'cache.staleIfError',
].join(', ');

describe('the environment', () => {
  it('provides options', () => {
    assert.deepEqual(optionsFromEnvironment(environment), good);
    for (const [text, value] of [
      ['true', true],
      ['1', true],
      ['false', false],
      ['0', false],
    ] as const) {
      const options = optionsFromEnvironment({
        ...environment,
        WATCHWORD_TOKENINFO_JSON_TYPE_INFO_INCLUDED: text,
      });
      assert.deepEqual(options, { ...good, jsonTypeInfoIncluded: value });
    }
  });

  it('configures a verifier without options', (t) => {
    const before = { ...process.env };
    t.after(() => {
      process.env = before;
    });
    for (const name of [...Object.keys(environment), 'WATCHWORD_URL']) delete process.env[name];
    const { WATCHWORD_TOKENINFO_URL, ...credentials } = environment;
    const required = ['WATCHWORD_URL', ...Object.keys(credentials)];
    assert.deepEqual(Object.keys(optionErrors(() => createTokenVerifier())), required);
    Object.assign(process.env, environment);
    createTokenVerifier();
    process.env.WATCHWORD_URL = 'https://id.example.com';
    // It can be there for another purpose.
    assert.deepEqual(optionsFromEnvironment(), good);
    delete process.env.WATCHWORD_TOKENINFO_URL;
    createTokenVerifier();
    assert.deepEqual(optionsFromEnvironment(), {
      url: 'https://id.example.com',
      key: good.key,
      secret: good.secret,
    });
  });

  it('is checked completely, and its errors have the names of the variables', () => {
    assert.deepEqual(
      optionErrors(() =>
        optionsFromEnvironment({
          WATCHWORD_TOKENINFO_URL: 'localhost:8080',
          WATCHWORD_TOKENINFO_KEY: '',
          WATCHWORD_TOKENINFO_SECRET: 'its-secret ',
          WATCHWORD_TOKENINFO_JSON_TYPE_INFO_INCLUDED: 'yes',
        }),
      ),
      {
        WATCHWORD_TOKENINFO_URL:
          'expected an http(s) URL without user, query and fragment, got "localhost:8080"',
        WATCHWORD_TOKENINFO_KEY: 'expected text without white space at its ends and without NUL, got nothing',
        WATCHWORD_TOKENINFO_SECRET:
          'expected text without white space at its ends and without NUL, got text that is not shown',
        WATCHWORD_TOKENINFO_JSON_TYPE_INFO_INCLUDED: 'expected true or false, got "yes"',
      },
    );
  });

  it('can name one URI of the API or several', () => {
    const named = (WATCHWORD_RESOURCE: string) =>
      optionsFromEnvironment({ ...environment, WATCHWORD_TOKENINFO_ISSUER: 'https://id', WATCHWORD_RESOURCE })
        .resource;
    assert.equal(named('https://api.example'), 'https://api.example');
    assert.deepEqual(named('https://api.example https://b.example'), [
      'https://api.example',
      'https://b.example',
    ]);
  });

  it('can have an empty variable where there is a default', () => {
    const empty = { ...environment, WATCHWORD_TOKENINFO_JSON_TYPE_INFO_INCLUDED: '' };
    assert.deepEqual(optionsFromEnvironment(empty), good);
  });
});
