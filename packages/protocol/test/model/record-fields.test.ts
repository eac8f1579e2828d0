import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { resourceServerRegistration } from '@watchword/testkit';
import type { OAuthError } from '../../src/model/errors/errors.ts';
import { attributeProblems, maxAttributeBytes } from '../../src/model/fields/attributes.ts';
import { clientFields } from '../../src/model/fields/client.ts';
import { descriptionOf, type FieldTable, replacementOf, storedFields } from '../../src/model/fields/field.ts';
import {
  emailProblems,
  nameProblems,
  textProblems,
  webUrlProblems,
} from '../../src/model/fields/problems.ts';
import { resourceServerFields } from '../../src/model/fields/resource-server.ts';
import { maxDescriptionBytes, scopeDescriptionProblems } from '../../src/model/fields/scope-descriptions.ts';
import { scopeProblems } from '../../src/model/fields/scopes.ts';
import { httpsUriProblems, logoutUriProblems } from '../../src/model/fields/uris.ts';
import type { ScopeDescription } from '../../src/model/scope-description.ts';
import { checkFixedFields } from '../../src/rules/built-in-records.ts';
import { Violations } from '../../src/rules/registration.ts';

function having(table: FieldTable, property: string): string[] {
  return Object.entries(table)
    .filter(([, field]) => Object.entries(field).some(([name, value]) => name === property && value === true))
    .map(([name]) => name);
}

const openid = [
  'openidScopes',
  'claimsInIdToken',
  'postLogoutRedirectUris',
  'subjectType',
  'sectorIdentifierUri',
  'idTokenSignedResponseAlg',
  'userinfoSignedResponseAlg',
  'authorizationSignedResponseAlg',
  'backchannelLogoutUri',
  'backchannelLogoutSessionRequired',
  'frontchannelLogoutUri',
  'frontchannelLogoutSessionRequired',
  'requirePushedAuthorizationRequests',
  'requireSignedRequestObject',
  'requestObjectSigningAlg',
  'requestUris',
];
const keys = ['jwks', 'jwksUri', 'tokenEndpointAuthSigningAlg', 'assertionIssuers'];
const grants = ['allowedClientCredentials', 'allowedImplicitGrant', 'allowedHybrid', 'useRefreshTokens'];
const confirmed = ['clientName', 'scopes', 'otherResourceServers', 'redirectUris', 'confidential', ...grants];
const openness = ['resources', 'openToClients', 'openScopes'];

describe('the fields of a record', () => {
  it('that must be there are a name and a contact', () => {
    assert.deepEqual(having(clientFields, 'isRequired'), ['clientName', 'contactName']);
    assert.deepEqual(having(resourceServerFields, 'isRequired'), ['name', 'contactName']);
  });

  it('of a client that an administrator confirms are those that decide what it gets, where users go, and what they are shown', () => {
    const [clientName, ...others] = confirmed;
    assert.deepEqual(having(clientFields, 'endsTrust'), [
      clientName,
      'description',
      'thumbNailUrl',
      'policyUri',
      'tosUri',
      ...others,
      'includePrincipal',
      'openidScopes',
      'postLogoutRedirectUris',
      'subjectType',
      'sectorIdentifierUri',
      'backchannelLogoutUri',
      'frontchannelLogoutUri',
    ]);
  });

  it('that the server issues are none that are stored as they were submitted', () => {
    for (const table of [clientFields, resourceServerFields] as const satisfies readonly FieldTable[]) {
      const all: FieldTable = table;
      const issued = Object.keys(all).filter((name) => all[name]?.setBy === 'issued');
      const stored = storedFields(all).map(([name]) => name);
      assert.ok(issued.length > 0);
      assert.deepEqual([...stored, ...issued].toSorted(), Object.keys(all).toSorted());
    }
  });

  it('that callers of earlier releases do not know are kept when they leave them out', () => {
    assert.deepEqual(having(clientFields, 'isKeptWhenLeftOut'), [
      'policyUri',
      'tosUri',
      'otherResourceServers',
      'confidential',
      'tokenEndpointAuthMethod',
      ...keys,
      'allowedHybrid',
      'dpopBoundAccessTokens',
      'tlsClientCertificateBoundAccessTokens',
      'loginLevel',
      ...openid,
    ]);
    assert.deepEqual(having(resourceServerFields, 'isKeptWhenLeftOut'), [
      'scopeDescriptions',
      ...openness,
      'accessTokenFormat',
      'loginDetails',
    ]);
  });

  it('are described by a sentence, which further ones can follow', () => {
    assert.equal(descriptionOf({ summary: 'name of the client' }), 'Name of the client.');
    assert.equal(descriptionOf({ summary: 'name', details: 'Users see it.' }), 'Name. Users see it.');
  });

  it('that are fixed are named as they are sent', () => {
    const current = resourceServerRegistration();
    const edited = { ...current, name: 'B', scopeDescriptions: [{ name: 'read', description: 'x' }] };
    const violations = new Violations();
    checkFixedFields(resourceServerFields, current, edited, violations);
    const named = (error: OAuthError) => error.violations?.map((violation) => violation.split(':')[0]);
    assert.throws(
      () => violations.throwIfAny(),
      (error: OAuthError) => isDeepStrictEqual(named(error), ['name', 'scopes']),
    );
  });

  it('that a whole record leaves out have their defaults, but those that are kept', () => {
    const { clientName, description, ...others } = replacementOf(clientFields, { clientName: 'x' });
    assert.deepEqual([clientName, description], ['x', '']);
    assert.deepEqual(
      ['openidScopes', 'confidential'].filter((name) => name in others),
      [],
    );
    assert.ok('skipConsent' in others);
  });

  it('of the built-in records that are fixed are all on which the administration pages depend', () => {
    const others = [
      'dpopBoundAccessTokens',
      'tlsClientCertificateBoundAccessTokens',
      'skipConsent',
      'includePrincipal',
      'expireDuration',
      ...openid,
      'attributes',
    ];
    assert.deepEqual(having(clientFields, 'isFixedInBuiltIn'), [
      ...confirmed.flatMap((name) =>
        name === 'confidential' ? [name, 'tokenEndpointAuthMethod', ...keys] : [name],
      ),
      ...others,
    ]);
    assert.deepEqual(having(resourceServerFields, 'isFixedInBuiltIn'), [
      'name',
      'scopes',
      'scopeDescriptions',
      ...openness,
      'accessTokenFormat',
    ]);
  });
});

const count = (problems: Iterable<string>) => [...problems].length;

describe('a text of a record', () => {
  it('is as long as it may be, and not longer', () => {
    for (const [problems, longest] of [
      [(text: string) => textProblems(text), 'x'.repeat(2000)],
      [nameProblems, 'x'.repeat(255)],
      [emailProblems, `x@${'x'.repeat(253)}`],
      [webUrlProblems, `https://${'x'.repeat(1992)}`],
    ] as const) {
      assert.deepEqual(
        [count(problems(longest)), count(problems(`${longest}x`))],
        [0, 1],
        longest.slice(0, 9),
      );
    }
  });

  it('is a name only if a reader sees something of it', () => {
    assert.deepEqual([...nameProblems('')], ['is required']);
    assert.deepEqual([...nameProblems('  ')], ['is required']);
    assert.deepEqual([...nameProblems('\u2800')], ['has no visible character']);
    assert.deepEqual([...nameProblems('x\u2800')], []);
  });

  it('is an address of mail or of the web from its first to its last character, or empty', () => {
    for (const text of ['', 'emma@example.org']) assert.equal(count(emailProblems(text)), 0, text);
    for (const text of ['emma', ' emma@example.org', 'emma@example.org ', 'a@b c']) {
      assert.equal(count(emailProblems(text)), 1, text);
    }
    for (const text of ['', 'https://a.example/b', 'HTTP://a.example']) {
      assert.equal(count(webUrlProblems(text)), 0, text);
    }
    for (const text of [
      'a',
      ' https://a.example',
      'https://a.example/ b',
      'xhttps://a.example',
      'https://[',
    ]) {
      assert.equal(count(webUrlProblems(text)), 1, text);
    }
  });
});

describe('a URI that the server requests', () => {
  it('has the scheme https, at logout also http on a loopback host, or is empty', () => {
    for (const [uri, ofSector, ofLogout] of [
      ['', 0, 0],
      ['HTTPS://a.example/b', 0, 0],
      ['http://localhost/b', 1, 0],
      ['http://a.example/b', 1, 1],
      ['com.example.app:/https:b', 1, 1],
    ] as const) {
      assert.deepEqual(
        [count(httpsUriProblems(uri)), count(logoutUriProblems(uri))],
        [ofSector, ofLogout],
        uri,
      );
    }
  });
});

describe('the descriptions of scopes', () => {
  const problems = (after: readonly ScopeDescription[], before?: readonly ScopeDescription[]) =>
    count(scopeDescriptionProblems(after, { before, isCommaSeparator: false }));
  const ofSize = (size: number) => [
    ...Array.from({ length: Math.floor(size / 300) }, () => ({ name: 'x', description: 'x'.repeat(300) })),
    { name: 'x', description: 'x'.repeat(size % 300) },
  ];

  it('have 32 KiB together, or no more than before', () => {
    const tooMuch = ofSize(maxDescriptionBytes + 1);
    assert.deepEqual([problems(ofSize(maxDescriptionBytes)), problems(tooMuch)], [0, 1]);
    assert.deepEqual(
      [problems(tooMuch, tooMuch), problems(ofSize(maxDescriptionBytes + 2), tooMuch)],
      [0, 1],
    );
  });

  it('are one visible line each, or empty', () => {
    const ofText = (description: string) => problems([{ name: 'x', description }]);
    assert.deepEqual(['', 'x', 'x'.repeat(300)].map(ofText), [0, 0, 0]);
    assert.deepEqual(['\u2800', 'a\nb', 'a\u2028b', 'x'.repeat(301)].map(ofText), [1, 1, 1, 1]);
  });

  it('are in languages that have a tag, of which there are at most 50', () => {
    const tags = Array.from(
      { length: 51 },
      (_, index) => `x${String.fromCharCode(97 + (index % 26))}${index < 26 ? '' : 'x'}`,
    );
    const inLanguages = (names: readonly string[]) =>
      problems([{ name: 'x', descriptions: Object.fromEntries(names.map((tag) => [tag, 'text'])) }]);
    assert.deepEqual([inLanguages(tags.slice(0, 50)), inLanguages(tags)], [0, 1]);
    assert.deepEqual([inLanguages(['pt-BR']), inLanguages(['not a tag'])], [0, 1]);
    const longest = 'en-Latn-US-x-aaaaaaaa-bbbbbbbb-cccc';
    assert.deepEqual([longest.length, inLanguages([longest]), inLanguages([`${longest}c`])], [35, 0, 1]);
  });
});

describe('the attributes of a client', () => {
  const problems = (attributes: object, before?: object) =>
    count(attributeProblems({ ...attributes }, { before: before && { ...before }, isCommaSeparator: false }));
  const ofSize = (size: number) =>
    Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [`${index}`, 'x'.repeat(index < 7 ? 999 : size - 7001)]),
    );

  it('are at most 100, without the name that changes the prototype of a copy', () => {
    const members = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [index, '']));
    assert.deepEqual([problems(members(100)), problems(members(101))], [0, 1]);
    const named = JSON.parse('{"__proto__":"x"}');
    assert.deepEqual(
      [...attributeProblems(named, { before: undefined, isCommaSeparator: false })],
      ['have the name __proto__'],
    );
  });

  it('have 8 KiB together, or no more than before', () => {
    const tooMuch = ofSize(maxAttributeBytes + 1);
    assert.deepEqual([problems(ofSize(maxAttributeBytes)), problems(tooMuch)], [0, 1]);
    assert.deepEqual([problems(tooMuch, tooMuch), problems(ofSize(maxAttributeBytes + 2), tooMuch)], [0, 1]);
  });
});

describe('the scopes of a record', () => {
  it('have no comma where it separates scopes, unless they had it before', () => {
    const problems = (isCommaSeparator: boolean, before?: readonly string[]) =>
      [...scopeProblems(['read', 'a,b'], { before, isCommaSeparator })].map((text) => text.split(' has')[0]);
    assert.deepEqual(problems(true), ['"a,b"']);
    assert.deepEqual([problems(false), problems(true, ['a,b'])], [[], []]);
  });
});
