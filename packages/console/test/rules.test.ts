import './support/english.ts';
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkDisplayName, checkLabels, checkUsername } from '@watchword/accounts';
import { type ClientFields, clientDefaults } from '@watchword/admin-client';
import {
  publishedUntil,
  redirectUriProblem,
  keySetMaxAge as serverKeySetMaxAge,
  succession,
} from '@watchword/protocol';
import { buildSigningKey } from '@watchword/testkit';
import { usernameTaken } from '../../administration/src/accounts/account-rules.ts';
import { nameTaken } from '../../administration/src/resource-servers/resource-server-registration.ts';
import { resourceServerDefaults } from '../../administration/src/resource-servers/resource-server-rules.ts';
import { clientDefaults as protocolClientDefaults } from '../../protocol/src/clients/registration/client-rules.ts';
import { checkOpenidClient } from '../../protocol/src/clients/registration/openid-client-rules.ts';
import { checkSector } from '../../protocol/src/clients/registration/sector-documents.ts';
import { resourceServerFields } from '../../protocol/src/model/fields/resource-server.ts';
import { ownScopeProblems } from '../../protocol/src/model/fields/scopes.ts';
import { httpsUriProblems, logoutUriProblems } from '../../protocol/src/model/fields/uris.ts';
import { isScopeToken } from '../../protocol/src/model/scope.ts';
import { checkFixedFields } from '../../protocol/src/rules/built-in-records.ts';
import { checkFields, Violations } from '../../protocol/src/rules/registration.ts';
import {
  emailAddress,
  httpsUri,
  logoutUri,
  redirectUri,
  requiredName,
  scopeToken,
  webUrl,
} from '../src/rules/field-rules.ts';
import { problemsOf, sentence } from '../src/rules/problems.ts';
import { clientRules, resourceServerRules } from '../src/rules/record-rules.ts';
import { violationText } from '../src/rules/server-texts.ts';
import { keySetMaxAge, publicationLead, publishedAfter } from '../src/rules/signing-keys.ts';
import {
  clientFields,
  issuersOfText,
  keysOfText,
  type TypedClient,
  typedClient,
} from '../src/rules/typed-client.ts';
import {
  shownResourceServer,
  submittedResourceServer,
  typedResourceServer,
} from '../src/rules/typed-resource-server.ts';
import { speak } from './support/tables.ts';

const stored = { ...resourceServerDefaults, name: 'x', contactName: 'x' };
const source = fileURLToPath(new URL('../src', import.meta.url));

const texts = [
  ...['', ' ', 'a', 'read', 'orders.read', 'a b', 'a"b', 'a\\b', 'ü', 'x'.repeat(255), 'x'.repeat(256)],
  ...['emma@example.com', 'emma@localhost', 'emma', '@', 'a@b@c', 'e m@x.nl', 'emma@exämple.com'],
  ...[
    'https://a.example',
    'http://a.example/x.png',
    'HTTPS://A',
    'ftp://a',
    'javascript:alert(1)',
    '//a',
    'https://',
  ],
  ...[
    'https://a.example/cb',
    'https://a.example/cb#f',
    'https://a.example/*',
    'https://u:p@a.example/',
    'https:a',
  ],
  ...['http://localhost/cb', 'http://127.0.0.1:8080/cb', 'http://[::1]/cb', 'http://127.evil.example/cb'],
  ...[
    'http://a.example/cb',
    'com.example.app:/cb',
    'com.example.App:/cb',
    'HTTPS://A.example/cb',
    'HTTP://a.example/cb',
    'myapp:/cb',
    'data:text/html,x',
    '/cb',
    'https://a.example/ü',
  ],
];

/** Whether the server finds an error in a field. */
function serverRefuses(field: string, value: string): boolean {
  const violations = new Violations();
  const fields = { ...resourceServerDefaults, name: 'x', contactName: 'x', [field]: value };
  checkFields(resourceServerFields, fields, { before: undefined, scopeSyntax: undefined }, violations);
  try {
    violations.throwIfAny();
    return false;
  } catch {
    return true;
  }
}

function isRefused(problems: Iterable<string>): boolean {
  return [...problems].length > 0;
}

const emptyClient: TypedClient = { ...typedClient(clientDefaults), clientName: 'x', contactName: 'x' };

describe('the rules in a form', () => {
  for (const [what, here, there] of [
    ['a name', requiredName, (value: string) => serverRefuses('name', value)],
    ['an e-mail address', emailAddress, (value: string) => serverRefuses('contactEmail', value)],
    ['a picture', webUrl, (value: string) => serverRefuses('thumbNailUrl', value)],
    ['a scope', scopeToken, (value: string) => !isScopeToken(value)],
    ['a redirect URI', redirectUri, (value: string) => redirectUriProblem(value) !== undefined],
    ['an address for logout', logoutUri, (value: string) => isRefused(logoutUriProblems(value))],
    ['the address of a document', httpsUri, (value: string) => isRefused(httpsUriProblems(value))],
  ] as const) {
    it(`never reject a value that the server accepts: ${what}`, () => {
      for (const value of texts) {
        if (here(value) !== undefined) assert.ok(there(value), `${JSON.stringify(value)}: ${here(value)}`);
      }
    });
  }

  it('name the most frequent errors', () => {
    assert.equal(requiredName(' '), '{field} is required.');
    assert.match(redirectUri('https://a.example/cb#f') ?? '', /has a fragment/);
    assert.match(redirectUri('https://a.example/*') ?? '', /compared character by character/);
    assert.match(redirectUri('http://a.example/cb') ?? '', /is for loopback hosts only; use https/);
    assert.match(redirectUri('myapp:/cb') ?? '', /private-use scheme/);
    assert.match(scopeToken('a"b') ?? '', /RFC 6749 section 3\.3/);
  });

  it('name what is hidden in a value, in the language of the page', () => {
    assert.equal(
      redirectUri('https://app.example/x\u200b'),
      String.raw`"https://app.example/x\u200b" has a character that no URI has, U+200B at position 22; encode it.`,
    );
    assert.match(
      redirectUri('\u200bhttps://a.example') ?? '',
      /absolute URI\. It has U\+200B at position 1\.$/,
    );
    assert.match(
      scopeToken('re\u00a0ad') ?? '',
      /^"re\\u00a0ad" \(U\+00A0 at position 3\) is not a scope token/,
    );
    assert.equal(requiredName('\u00a0'), '{field} is required. It has U+00A0 at position 1.');
    assert.match(emailAddress('emma\u200b@') ?? '', /It has U\+200B at position 5\.$/);
    assert.match(webUrl('https://a\u00a0') ?? '', /It has U\+00A0 at position 10\.$/);
    assert.match(logoutUri('\u2060https://a') ?? '', /It has U\+2060 at position 1\.$/);
    assert.match(httpsUri('\u2060https://a') ?? '', /It has U\+2060 at position 1\.$/);
    speak('nl');
    try {
      assert.equal(requiredName('\u00a0'), '{field} is verplicht. Er staat U+00A0 op positie 1 in.');
    } finally {
      speak('en');
    }
  });

  it('check the whole client', () => {
    const offered = { scopes: ['read'], accessTokenFormat: 'opaque' } as const;
    const client = {
      ...emptyClient,
      ...{ scopes: ['read', 'admin'], expireDuration: '' },
      ...{ allowedClientCredentials: true, allowedImplicitGrant: true, confidential: false },
    };
    assert.deepEqual(Object.keys(clientRules(offered)(client)).sort(), [
      'allowedClientCredentials',
      'expireDuration',
      'redirectUris',
      'scopes',
    ]);
    const contradictory = { ...client, allowedClientCredentials: false, confidential: true };
    assert.match(clientRules(offered)(contradictory).confidential?.[0] ?? '', /^\{field\} must be off with/);
    const fine = {
      ...client,
      ...{ scopes: ['read'], expireDuration: '0', allowedImplicitGrant: false, confidential: true },
    };
    assert.deepEqual(clientRules(offered)(fine), {});
    const hybrid = (redirectUris: string) =>
      clientRules(offered)({ ...fine, allowedHybrid: true, redirectUris });
    assert.deepEqual(hybrid('https://a.example/cb'), {});
    for (const uri of ['', 'http://localhost/cb', 'https://127.0.0.1/cb', 'com.example:/cb'])
      assert.equal(hybrid(uri).redirectUris?.length, 1, uri);
    const { clientName: name, ...rest } = fine;
    const server = {
      ...rest,
      name,
      resources: '',
      openToClients: 'owner',
      openScopes: [],
      accessTokenFormat: 'opaque',
      loginDetails: false,
      scopeTexts: [],
    } as const;
    assert.deepEqual(resourceServerRules(server), {});
  });
});

describe('a client that logs users in', () => {
  const problems = (fields: Partial<TypedClient>, accessTokenFormat: 'opaque' | 'jwt' = 'opaque') =>
    clientRules({ scopes: [], accessTokenFormat })({ ...emptyClient, ...fields });
  const redirectUris = 'https://a.example/cb\nhttps://b.example/cb';

  it('needs a sector identifier URI for pairwise subjects of several hosts', () => {
    const pairwise = { redirectUris, subjectType: 'pairwise' } as const;
    assert.match(problems(pairwise).sectorIdentifierUri?.[0] ?? '', /^\{field\} is required/);
    const sectorIdentifierUri = 'https://a.example/uris.json';
    assert.deepEqual(problems({ ...pairwise, sectorIdentifierUri }), {});
    assert.deepEqual(problems({ ...pairwise, redirectUris: 'https://a.example/cb' }), {});
  });

  it('has a front-channel logout URI where its redirect URIs are', () => {
    const at = (frontchannelLogoutUri: string) => problems({ redirectUris, frontchannelLogoutUri });
    assert.deepEqual(at('https://b.example/logout'), {});
    assert.match(at('https://c.example/logout').frontchannelLogoutUri?.[0] ?? '', /of a redirect URI/);
  });

  it('has a lifetime for tokens that its API verifies itself', () => {
    for (const expireDuration of ['1', '86400']) assert.deepEqual(problems({ expireDuration }, 'jwt'), {});
    for (const expireDuration of ['0', '86401']) {
      assert.deepEqual(problems({ expireDuration }), {});
      assert.match(problems({ expireDuration }, 'jwt').expireDuration?.[0] ?? '', /1 to 86400 seconds/);
    }
  });

  it('has public subjects if its API verifies tokens itself', () => {
    const pairwise = { subjectType: 'pairwise' } as const;
    assert.deepEqual(problems(pairwise), {});
    assert.match(problems(pairwise, 'jwt').subjectType?.[0] ?? '', /^\{field\} must be public/);
  });
});

describe('a client in a form', () => {
  const stored: ClientFields = {
    ...clientDefaults,
    scopes: ['read'],
    redirectUris: ['https://a.example/cb', 'com.example.app:/cb'],
    useRefreshTokens: true,
    expireDuration: 60,
    attributes: { team: 'a', constructor: 'b' },
  };

  it('is text in its fields, and the same client again without a change', () => {
    const { scopes, redirectUris, useRefreshTokens, expireDuration, attributes } = typedClient(stored);
    assert.deepEqual([scopes, useRefreshTokens], [['read'], true]);
    assert.equal(redirectUris, 'https://a.example/cb\ncom.example.app:/cb');
    assert.equal(expireDuration, '60');
    assert.deepEqual(attributes[1], { name: 'constructor', value: 'b' });
    assert.deepEqual(clientFields(typedClient(stored)), stored);
  });

  it('has its keys as a text, of a set or of one key', () => {
    const key = { kty: 'OKP', crv: 'Ed25519', x: 'AA' };
    const jwks = { keys: [key] };
    const typed = typedClient({ ...clientDefaults, jwks });
    assert.deepEqual(JSON.parse(typed.jwks), jwks);
    for (const text of [typed.jwks, JSON.stringify(key)])
      assert.deepEqual(clientFields({ ...typed, jwks: text }).jwks, jwks);
    assert.deepEqual(clientFields({ ...typed, jwks: ' ' }).jwks, { keys: [] });
    for (const text of ['{', '[]', '{}', '"a"', 'null']) assert.equal(keysOfText(text), undefined, text);
  });

  it('has its issuers as a text', () => {
    const keys = { jwks: { keys: [] }, jwksUri: 'https://a.example/jwks' };
    const assertionIssuers = [{ issuer: 'https://a.example', audience: 'b', subject: 'c:*', ...keys }];
    const typed = typedClient({ ...clientDefaults, assertionIssuers });
    assert.deepEqual(clientFields(typed).assertionIssuers, assertionIssuers);
    assert.deepEqual(clientFields({ ...typed, assertionIssuers: ' ' }).assertionIssuers, []);
    for (const text of ['{', '{}', '"a"', 'null']) assert.equal(issuersOfText(text), undefined, text);
  });

  it('has a place for each field', () => {
    const pages = globSync(
      '{pages/client/{client-form,keys-fields,requests-section,openid-section,other-servers-field}.tsx,forms/*.tsx}',
      { cwd: source },
    );
    const text = pages.map((file) => readFileSync(join(source, file), 'utf8')).join('\n');
    for (const name of Object.keys(clientDefaults)) {
      assert.match(text, new RegExp(`name="${name}"|labels\\.${name}\\b|'${name}'`), name);
    }
  });
});

describe('a resource server in a form', () => {
  const record = shownResourceServer({
    ...resourceServerDefaults,
    ...{ id: 1, key: 'api', owner: 'emma', ownerAuthority: '', managedBy: '' },
    scopes: [
      { name: 'read', description: 'Read', descriptions: { nl: 'Lezen', 'pt-BR': 'Ler' } },
      { name: 'write' },
    ],
  });

  it('has a text for each scope and language, and the same scopes again without a change', () => {
    const typed = typedResourceServer(record);
    assert.deepEqual(typed.scopeTexts, [
      { name: 'read', value: 'Read' },
      { name: 'nl read', value: 'Lezen' },
      { name: 'pt-BR read', value: 'Ler' },
    ]);
    assert.deepEqual(submittedResourceServer(typed).scopes, [
      record.describedScopes[0],
      { name: 'write', description: '', descriptions: {} },
    ]);
  });

  it('needs the language of a text, and a text that fits a line', () => {
    const problems = (name: string, value: string) =>
      resourceServerRules({
        ...typedResourceServer(record),
        name: 'x',
        contactName: 'x',
        scopeTexts: [{ name, value }],
      }).scopeTexts;
    assert.match(problems(' read', 'Lesen')?.[0] ?? '', /for read without a language/);
    assert.match(problems('read', 'x'.repeat(301))?.[0] ?? '', /more than 300 characters/);
    assert.equal(problems(' read', ''), undefined);
    assert.equal(problems('de read', 'Lesen'), undefined);
  });
});

describe('attributes in a form', () => {
  const problemsOfAttributes = (...rows: readonly (readonly [name: string, value: string])[]) => {
    const attributes = rows.map(([name, value]) => ({ name, value }));
    return clientRules({ scopes: [], accessTokenFormat: 'opaque' })({ ...emptyClient, attributes })
      .attributes;
  };

  it('need a name, and different names', () => {
    assert.equal(problemsOfAttributes(['team', 'a'], ['Team', 'b']), undefined);
    assert.match(problemsOfAttributes(['', 'a'])?.[0] ?? '', /without a name/);
    assert.deepEqual(problemsOfAttributes(['team', 'a'], ['team', 'a'], ['team', 'b']), [
      '"team" is there more than once.',
    ]);
  });

  it('do not exist in an empty row', () => {
    assert.equal(problemsOfAttributes(['', ''], ['', '']), undefined);
    const attributes = [
      { name: '', value: '' },
      { name: 'a', value: '' },
    ];
    assert.deepEqual(clientFields({ ...emptyClient, attributes }).attributes, { a: '' });
  });
});

describe('answers of the server', () => {
  const phrasesOf = (check: (violations: Violations) => void): readonly string[] => {
    const violations = new Violations();
    try {
      check(violations);
      violations.throwIfAny();
    } catch (error) {
      const { violations: found = [] } = error as { readonly violations?: readonly string[] };
      return found.map((violation) => violation.replace(/^\w+: /, ''));
    }
    return assert.fail('the server found nothing');
  };

  it('have texts where users meet them although the rules of the form found nothing', () => {
    const control = 'a\u0000b';
    const found = [
      ...phrasesOf((violations) => checkUsername(' ', violations)),
      ...phrasesOf((violations) => checkDisplayName('', violations)),
      ...phrasesOf((violations) => checkDisplayName(control.repeat(200), violations)),
      ...phrasesOf((violations) => checkLabels('groups', [' ', ...Array(500).fill('x')], violations)),
      ...phrasesOf((violations) =>
        checkFixedFields(resourceServerFields, stored, { ...stored, name: 'y' }, violations),
      ),
      ...['contactEmail', 'thumbNailUrl', 'description'].flatMap((field) =>
        phrasesOf((violations) => {
          const fields = { ...stored, [field]: control };
          checkFields(
            resourceServerFields,
            fields,
            { before: undefined, scopeSyntax: undefined },
            violations,
          );
        }),
      ),
      ...phrasesOf((violations) => {
        const client = { ...protocolClientDefaults, idTokenSignedResponseAlg: 'PS256' } as const;
        checkOpenidClient(client, { before: undefined, algorithms: ['RS256'] }, violations);
      }),
      ...phrasesOf((violations) => {
        const context = { before: undefined, isCommaSeparator: false };
        violations.addAll('scopes', ownScopeProblems(['email'], context));
      }),
      ...phrasesOf(() => {
        const sectorIdentifierUri = 'https://a.example/uris';
        const client = { sectorIdentifierUri, redirectUris: ['https://a.example/cb'] };
        checkSector(client, undefined, new Map([[sectorIdentifierUri, { redirectUris: [] }]]));
      }),
    ];
    assert.ok(found.length >= 12, String(found.length));
    assert.deepEqual(
      found.filter((phrase) => violationText(phrase) === undefined),
      [],
    );
  });

  it('keep the hidden characters that they name, in the language of the page', () => {
    speak('de');
    try {
      for (const [phrases, expected] of [
        [
          (of: Violations) => checkUsername('emma\u200b', of),
          /unsichtbare Zeichen\. Darin steht U\+200B an Position 5\.$/,
        ],
        [
          (of: Violations) => checkDisplayName('\u2800', of),
          /sichtbares Zeichen\. Darin steht U\+2800 an Position 1\.$/,
        ],
        [
          (of: Violations) => checkDisplayName('a\u202e', of),
          /Surrogat\. Darin steht U\+202E an Position 2\.$/,
        ],
        [
          (of: Violations) => of.addAll('uri', logoutUriProblems('https://a/\u200b')),
          /^\{field\} hat ein Zeichen, das in keiner URI steht, U\+200B an Position 11; kodieren/,
        ],
      ] as const) {
        for (const phrase of phrasesOf(phrases)) assert.match(violationText(phrase) ?? phrase, expected);
      }
    } finally {
      speak('en');
    }
  });

  it('have texts for names that are taken', () => {
    speak('de');
    try {
      assert.match(violationText(usernameTaken().message) ?? '', /^Es gibt schon ein Konto/);
      assert.match(violationText(nameTaken().message) ?? '', /^Der Besitzer hat schon/);
    } finally {
      speak('en');
    }
  });
});

describe('the times of signing keys', () => {
  it('are those of the server', () => {
    const key = buildSigningKey('a', { publishedAt: 1, signsFrom: 1 });
    const [next] = [succession([key], buildSigningKey('b'), 1000).inserted];
    assert.equal(next?.signsFrom, 1000 + publicationLead);
    assert.equal(publishedUntil({ ...key, retiredAt: 7 }), 7 + publishedAfter);
    assert.equal(keySetMaxAge, serverKeySetMaxAge);
  });
});

describe('violations of the server', () => {
  it('are shown at their fields, those without a field apart', () => {
    const violations = [
      'name: is required',
      'scopes: "a b" is not a scope token',
      'body: has 2 more unknown fields',
      'x',
    ];
    assert.deepEqual(problemsOf(violations, ['name', 'scopes']), {
      byField: { name: ['is required'], scopes: ['"a b" is not a scope token'] },
      others: ['body: has 2 more unknown fields', 'x'],
    });
  });

  it('are complete sentences', () => {
    assert.equal(sentence('Contact name', 'is required'), 'Contact name is required.');
    assert.equal(sentence('Naam', '{field} is $&.'), 'Naam is $&.');
    assert.equal(sentence('Scopes', '"a b" is not a scope token'), '"a b" is not a scope token.');
  });
});
