import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { maxRefreshGrace, withHidden } from '@watchword/protocol';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { loadConfiguration, type Sources } from '../../src/config/load.ts';
import { environmentName, flagName, type SettingPath, settingPaths } from '../../src/config/settings.ts';
import { ConfigurationError } from '../../src/configuration-error.ts';

const load = (sources: Partial<Sources>) =>
  loadConfiguration({ flags: {}, environment: {}, file: undefined, ...sources });

/** The problems of single settings, one a line. */
async function problems(sources: Partial<Sources>): Promise<string[]> {
  try {
    await load(sources);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    const lines = error.message.split('\n').slice(1);
    return lines.filter((line) => !line.includes('cannot be set together'));
  }
  return [];
}

/** A wrong value with its problems: where in the value, and what the operator reads. */
const wrong = (given: unknown, ...problems: readonly (readonly [within: string, problem: string])[]) => ({
  given,
  problems,
});
/** A wrong value that the operator reads again. */
const shown = (expected: string, givens: readonly unknown[]) =>
  givens.map((given) => {
    const problem = `expected ${expected}, got ${JSON.stringify(given)}`;
    return wrong(given, ['', typeof given === 'string' ? withHidden(problem, given) : problem]);
  });

const seconds = (from: number, to: number) => wholeNumber(from, to, 'seconds');
function wholeNumber(from: number, to: number, unit = ''): Rule {
  const expected = `a whole number${unit && ` of ${unit}`} from ${from} to ${to}`;
  return {
    valid: [
      [String(from), from],
      [`00${to}`, to],
    ],
    wrongTexts: [
      ...shown(expected, ['', 'x', '-1', '1.5', '1e3', '0x1', ' 1', '9'.repeat(16)]),
      wrong(String(to + 1), ['', `expected ${expected}, got ${to + 1}`]),
    ],
    wrongValues: shown(expected, ['1', -1, 1.5, to + 1, true, [1], { a: 1 }]),
  };
}
const trueOrFalse: Rule = {
  valid: [
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ],
  wrongTexts: shown('true or false', ['', 'yes', 'TRUE', '2', 'toString']),
  wrongValues: shown('true or false', ['true', 1, []]),
};
function text(
  expected: string,
  valid: readonly string[],
  wrongTexts: readonly string[],
  wrongValues: readonly unknown[],
): Rule {
  return {
    valid: valid.map((each) => [each, each]),
    wrongTexts: shown(expected, wrongTexts),
    wrongValues: shown(expected, wrongValues),
  };
}
/** Wrong texts that an operator reads again, with what to do about each. */
const advised = (expected: string, givens: Readonly<Record<string, string>>) =>
  Object.entries(givens).map(([given, advice]) =>
    wrong(given, ['', `expected ${expected}, got ${JSON.stringify(given)}; ${advice}`]),
  );
/** Of every text that names a file (path-problem.test.ts of the protocol). */
const wrongPaths = {
  '': 'write a path',
  'a\0': 'remove U+0000 at position 2',
  '"a"': 'remove the quotes',
  '~/a': 'write the whole path, because nothing replaces ~ here',
};
const moduleForm = 'the name of a module, a package or a file';
const moduleName: Rule = {
  ...text(moduleForm, ['form', '@example/login', './login.js', 'file:///login.js'], [], [7, true, ['form']]),
  wrongTexts: [...shown(moduleForm, ['a b']), ...advised(moduleForm, wrongPaths)],
};
const filePath = (what: string): Rule => ({
  ...text(`the path of ${what}`, ['a b/c', 'C:\\a'], [], [7, false, ['a']]),
  wrongTexts: advised(`the path of ${what}`, {
    ...wrongPaths,
    'file:a': 'write the path alone, without file:',
  }),
});
const attributeNames = 'the name of an attribute of at most 255 characters, or a list of such names';
const claimSources: Rule = {
  valid: [
    ['{}', {}],
    ['{"email": "mail", "department": ["ou", "a b"]}', { email: ['mail'], department: ['ou', 'a b'] }],
    ['{"roles": {"from": "r", "scope": "groups"}}', { roles: { from: ['r'], scope: 'groups' } }],
  ],
  wrongTexts: [
    wrong('email', ['', 'expected an object in JSON, got a text that is not JSON']),
    wrong('[]', ['', 'expected an object of claims with the names of attributes, got []']),
    wrong('{"a b": "mail"}', [
      '.a b',
      'expected the name of a claim of at most 255 characters without spaces, got "a b"',
    ]),
  ],
  wrongValues: [
    wrong({ email: 7 }, ['.email', `expected ${attributeNames}, got 7`]),
    wrong({ roles: { from: 'r', scope: 'openid' } }, [
      '.roles.scope',
      'expected one of the scopes profile, email, address, phone, groups, got "openid"',
    ]),
    wrong({ roles: { scope: 'groups' } }, [
      '.roles.from',
      'expected from, with names of attributes, and scope, got nothing',
    ]),
    wrong({ email: '' }, ['.email', 'expected the name of an attribute of at most 255 characters, got ""']),
    wrong({ email: ['mail', ''] }, [
      '.email[1]',
      'expected the name of an attribute of at most 255 characters, got ""',
    ]),
  ],
};
const object: Rule = {
  valid: [
    ['{}', {}],
    [' {"a": {"constructor": [1]}} ', { a: { constructor: [1] } }],
  ],
  wrongTexts: [
    wrong('', ['', 'expected an object in JSON, got a text that is not JSON']),
    wrong('{"a": secret}', ['', 'expected an object in JSON, got a text that is not JSON']),
    wrong('"secret"', ['', 'expected an object in JSON, got a text']),
    wrong('null', ['', 'expected an object in JSON, got null']),
    wrong('["secret"]', ['', 'expected an object in JSON, got a list']),
  ],
  wrongValues: [
    wrong(7, ['', 'expected an object, got a number']),
    wrong('secret', ['', 'expected an object, got a text']),
    wrong(true, ['', 'expected an object, got a boolean']),
    wrong(['secret'], ['', 'expected an object, got a list']),
    wrong([], ['', 'expected an object, got an empty list']),
  ],
};
const range = 'expected an IP address or range such as 10.0.0.0/8, got';
const pictureHost = 'expected a host name, with :port if it is not 443, got';
const privateHost = 'expected a host name or IPv4 address, with :port for that port only, got';
const documentHosts = 'on, off, or a list of host names such as example.com and *.example.com';
const documentHost = 'expected a host name such as example.com, or *.example.com for all names below it, got';
const relatedOrigin = 'expected an https origin without slash at its end, such as https://example.net, got';
const contact = 'expected a URI such as mailto:security@example.com, https: or tel:, got';
const metricsToken = '16 to 1000 letters, digits and characters of -._~+/=';
const algorithms = 'a list of RS256, ES256, EdDSA, PS256, each at most once';
const signingKey = '32 bytes in base64, or in 64 hexadecimal digits';
const ownClass =
  'expected a class of at most 1024 characters without spaces, other than https://refeds.org/profile/sfa, https://refeds.org/profile/mfa, phr, got';
const actionForm = 'expected an object with name, version, title, text, url, groups, repeatAfter, got';
const entry =
  'expected the name of a module, or an object with module, as, options, label, linkByVerifiedAddress, got';

const url = 'a URL such as postgres://user@host/name';
const fileOrUrl = `the path of a file, or ${url}`;
const urls = ['postgres://h/db', 'postgresql://u:p%40@h1:5432,h2/db?sslmode=verify-full'];
/** A mistake can be at the password, so the operator does not read what can be a URL. */
const wrongUrls = (expected: string) =>
  ['postgres:/u:secret@h/db', 'postgress://u:secret@h/db', 'postgres://', 'postgres://u:se cret@h/db'].map(
    (given) => wrong(given, ['', `expected ${expected}, got a text`]),
  );
const ofPostgresql = (rule: Rule): Rule => ({ ...rule, besides: { database: 'postgres://h/db' } });
const postgresqlUrl: Rule = ofPostgresql({
  valid: urls.map((each) => [each, each]),
  wrongTexts: [...shown(url, ['', './x.db', 'https://h/db']), ...wrongUrls(url)],
  wrongValues: shown(url, [7, ['x']]),
});

interface Rule {
  /** Other settings without which these values are not valid. */
  readonly besides?: Partial<Record<SettingPath, string>>;
  /** Texts, and the value that each means. */
  readonly valid: readonly (readonly [text: string, value: unknown])[];
  readonly wrongTexts: readonly ReturnType<typeof wrong>[];
  readonly wrongValues: readonly ReturnType<typeof wrong>[];
}

const zeroToOne = 'a number from 0 to 1';
const ranges: Rule = {
  valid: [['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']]],
  wrongTexts: [
    wrong('10.0.0.0/33,localhost', ['[0]', `${range} "10.0.0.0/33"`], ['[1]', `${range} "localhost"`]),
  ],
  wrongValues: shown('a list of IP addresses or ranges such as 10.0.0.0/8', ['10.0.0.0/8', 7]),
};

const helpForm =
  'expected a text of at most 120 characters, or an object of such texts by language tags such as en, got';
const rules: Readonly<Record<SettingPath, Rule>> = {
  host: text(
    'a host name or an IP address',
    ['0.0.0.0', '::1', 'id.example'],
    ['', 'a b', 'https://id.example'],
    [7, ['localhost']],
  ),
  port: wholeNumber(0, 65_535),
  baseUrl: {
    ...text(
      'an http(s) URL without query, fragment, user or slash at its end, and without *, :, ;, % or // in its path',
      [],
      [
        '',
        'id.example',
        'https://id.example/',
        'ftp://id.example',
        'https://user@id.example',
        'https://id.example//sso',
        'https://id.example/sso//id',
        'https://id.example/sso;v=1',
      ],
      [443, ['https://id.example']],
    ),
    valid: [
      ['https://id.example/auth', 'https://id.example/auth'],
      ['HTTPS://Id.Example:8443/Auth', 'https://id.example:8443/Auth'],
    ],
  },
  database: {
    valid: ['./a b.db', 'data/postgres.db', 'D:\\a b.db', ...urls].map((each) => [each, each]),
    wrongTexts: [
      ...advised(fileOrUrl, {
        ...wrongPaths,
        ':memory:': 'name a file, because SQLite would not store the data',
        'file:x.db': 'write the path alone, without file:',
        'mysql://h/db': 'write the path alone, without mysql:',
        'folder/': 'add the name of the file',
      }),
      ...wrongUrls(fileOrUrl),
      wrong('"postgres://u:secret@h/db"', ['', `expected ${fileOrUrl}, got a text; remove the quotes`]),
    ],
    wrongValues: shown(fileOrUrl, [7, ['x.db']]),
  },
  // The file is read with the other settings (database-setting.test.ts).
  databaseUrlFile: { ...filePath('a file'), valid: [] },
  databaseListen: postgresqlUrl,
  'postgresql.connections': ofPostgresql(wholeNumber(1, 1000)),
  'postgresql.otherConnections': ofPostgresql(wholeNumber(1, 1000)),
  'postgresql.connectTimeout': ofPostgresql(seconds(1, 300)),
  'postgresql.statementTimeout': ofPostgresql(seconds(1, 3600)),
  'postgresql.lockTimeout': ofPostgresql(seconds(1, 3600)),
  'postgresql.preparedStatements': ofPostgresql(trueOrFalse),
  workers: ofPostgresql({
    valid: [
      ['auto', 'auto'],
      ['1', 1],
      ['64', 64],
    ],
    wrongTexts: shown('a whole number from 1 to 64, or auto', ['', 'x', 'AUTO', '-1', '1.5', '1e3', ' 1']),
    wrongValues: shown('a whole number from 1 to 64, or auto', ['1', 0, 65, 1.5, true, [1]]),
  }),
  trustedProxies: {
    valid: [
      ['', []],
      [' 10.0.0.0/8 ,::1,, fd00::/8', ['10.0.0.0/8', '::1', 'fd00::/8']],
    ],
    wrongTexts: [
      wrong('10.0.0.1,10.0.0.0/33,x', ['[1]', `${range} "10.0.0.0/33"`], ['[2]', `${range} "x"`]),
      ...['10.0.0.0/', '10.0.0.0/8/8', '::1/129', '10.0.0.0/-1'].map((given) =>
        wrong(given, ['[0]', `${range} "${given}"`]),
      ),
    ],
    wrongValues: [
      ...shown('a list of IP addresses or ranges such as 10.0.0.0/8', ['10.0.0.1', 7]),
      wrong(['10.0.0.1', 7], ['[1]', `${range} 7`]),
    ],
  },
  'clientCertificate.header': text(
    'the name of a header',
    ['Client-Cert', 'x-forwarded-client-cert'],
    ['', 'Client Cert', 'a:b', 'a\r\nb'],
    [7, true, ['Client-Cert']],
  ),
  'clientCertificate.form': text(
    'one of pem, rfc9440, base64, xfcc',
    ['rfc9440'],
    ['', 'PEM', 'der'],
    [7, true, ['pem']],
  ),
  allowedHosts: {
    valid: [
      ['', []],
      ['box.local, watchword_1,192.168.1.2,fd00::1', ['box.local', 'watchword_1', '192.168.1.2', 'fd00::1']],
    ],
    wrongTexts: ['box:8080', 'http://box', '*.local', '.local', 'a b', '[::1]'].map((given) =>
      wrong(given, ['[0]', `expected a host name or an address, without port, got "${given}"`]),
    ),
    wrongValues: shown('a list of host names or addresses, without port', ['box.local', 7]),
  },
  authenticator: moduleName,
  authenticatorOptions: object,
  authenticators: {
    valid: [
      ['password, form', [{ module: 'password' }, { module: 'form' }]],
      [' ["form", {"module": "noop", "as": "a"}]', [{ module: 'form' }, { module: 'noop', as: 'a' }]],
    ],
    wrongTexts: [
      wrong('[secret', ['', 'expected a list of modules in JSON, got a text that is not JSON']),
      ...['[]', ','].map((given) =>
        wrong(given, ['', 'expected a list of at least one module, got an empty list']),
      ),
      wrong('[["secret"], null]', ['[0]', `${entry} a list`], ['[1]', `${entry} null`]),
    ],
    wrongValues: [
      wrong('secret', ['', 'expected a list of modules, got a text']),
      wrong([], ['', 'expected a list of at least one module, got an empty list']),
      wrong([7, ['secret']], ['[0]', `${entry} a number`], ['[1]', `${entry} a list`]),
    ],
  },
  allowInsecureAuthentication: trueOrFalse,
  consent: moduleName,
  consentOptions: object,
  requiredActions: {
    valid: [
      [
        '[{"name":"terms","version":"1","title":"Terms","text":{"en":"Read","nl":"Lees"}}]',
        [{ name: 'terms', version: '1', title: 'Terms', text: { en: 'Read', nl: 'Lees' } }],
      ],
    ],
    wrongTexts: [
      wrong('terms', ['', 'expected a list of required actions in JSON, got a text that is not JSON']),
      wrong('["terms"]', ['[0]', `${actionForm} a text`]),
    ],
    wrongValues: [wrong('terms', ['', 'expected a list of required actions, got a text'])],
  },
  'factors.required': text(
    'one of none, administrators, everyone',
    ['none', 'administrators', 'everyone'],
    ['', 'all', 'Everyone'],
    [7, true, ['everyone']],
  ),
  'factors.groups': {
    valid: [['staff, Équipe 1', ['staff', 'Équipe 1']]],
    wrongTexts: [],
    wrongValues: [
      ...shown('a list of names of groups', ['staff']),
      wrong([7], ['[0]', 'expected the name of a group, got 7']),
    ],
  },
  'factors.graceDays': wholeNumber(0, 365, 'days'),
  'factors.trustDays': wholeNumber(0, 365, 'days'),
  'factors.classes': {
    valid: [
      ['{}', {}],
      ['{"urn:example:gold": "mfa"}', { 'urn:example:gold': 'mfa' }],
    ],
    wrongTexts: [
      wrong('gold', ['', 'expected an object in JSON, got a text that is not JSON']),
      wrong('[]', ['', 'expected an object of authentication context classes with their levels, got []']),
      wrong('{"phr": "mfa"}', ['.phr', `${ownClass} "phr"`]),
      wrong('{"a b": "mfa"}', ['.a b', `${ownClass} "a b"`]),
    ],
    wrongValues: [wrong({ gold: 'high' }, ['.gold', 'expected one of the levels sfa, mfa, phr, got "high"'])],
  },
  'factors.providers': {
    valid: [
      ['{}', {}],
      ['{"a": {"mfa": ["x"], "phr": ["y"]}}', { a: { mfa: ['x'], phr: ['y'] } }],
    ],
    wrongTexts: [
      wrong('a', ['', 'expected an object in JSON, got a text that is not JSON']),
      wrong('[]', ['', 'expected an object of names of authenticators with mfa or phr, got []']),
    ],
    wrongValues: [
      wrong({ a: ['x'] }, ['.a', 'expected mfa or phr, each with a list of values of acr or amr, got ["x"]']),
      wrong({ a: { mfa: [] } }, ['.a.mfa', 'expected a list of at least one value of acr or amr, got []']),
      wrong({ a: { mfa: 'x' } }, ['.a.mfa', 'expected a list of values of acr or amr, got "x"']),
      wrong({ a: { phr: [7] } }, [
        '.a.phr[0]',
        'expected a value of acr or amr of at most 1024 characters, got 7',
      ]),
    ],
  },
  'session.idleLifetime': seconds(60, 31_536_000),
  'session.lifetime': seconds(60, 31_536_000),
  'authState.lifetime': seconds(60, 86_400),
  'authorization.requirePushedRequests': trueOrFalse,
  'authorization.requireSignedRequests': trueOrFalse,
  'authorization.requestUris': trueOrFalse,
  'code.lifetime': seconds(1, 600),
  'implicit.lifetime': seconds(60, 31_536_000),
  'refresh.idleLifetime': seconds(60, 315_360_000),
  'refresh.lifetime': seconds(60, 315_360_000),
  'refresh.graceSeconds': seconds(0, maxRefreshGrace),
  'refresh.publicGraceSeconds': seconds(0, maxRefreshGrace),
  'refresh.graceStreak': wholeNumber(0, 100),
  'token.omitZeroExpiresIn': trueOrFalse,
  'dpop.requireNonce': trueOrFalse,
  'openid.idTokenLifetime': seconds(60, 86_400),
  'openid.claims': claimSources,
  'openid.claimsInIdToken': trueOrFalse,
  'openid.subjectFrom': text(
    'subject, or the name of an attribute of at most 255 characters',
    ['subject', 'OLD_SUB', 'x'.repeat(255)],
    ['', ' '],
    [7, ['subject']],
  ),
  'adminService.jsonTypeInfoIncluded': trueOrFalse,
  'scope.commaSeparated': trueOrFalse,
  'bridge.url': text(
    'an http(s) URL without query, fragment and user',
    ['https://old.example.com/v1/tokeninfo', 'http://old.internal:8080/introspect'],
    [
      '',
      'old.example.com',
      'ftp://old.example.com',
      'https://a@old.example.com',
      'https://old.example.com?a=b',
    ],
    [7],
  ),
  'bridge.protocol': text(
    'one of introspection, tokenInfo',
    ['introspection', 'tokenInfo'],
    ['', 'tokeninfo'],
    [7],
  ),
  'bridge.until': text(
    'a time such as 2027-01-31T00:00:00Z',
    ['2027-01-31T00:00:00Z', '2027-01-31T00:00+02:00'],
    ['', 'tomorrow', '2027-01-31', '2027-13-31T00:00:00Z', '2027-01-31T00:00:00'],
    [7],
  ),
  'bridge.clientId': text('1 to 255 visible ASCII characters', ['the-bridge'], ['', 'a b', 'é'], [7]),
  'bridge.secretFile': filePath('a file'),
  'bridge.cacheSeconds': seconds(0, 300),
  'failedAttempts.perIdentifier': wholeNumber(0, 1_000_000),
  'failedAttempts.perAddress': wholeNumber(0, 1_000_000),
  'administration.freshLogin': wholeNumber(0, 86_400, 'seconds'),
  'administration.registration': text(
    'everyone, administrators, or group: and the name of a group',
    ['everyone', 'administrators', 'group:developers', 'group:Équipe 1'],
    ['', 'nobody', 'group:', 'group: a', 'group:a\0', 'Administrators', 'administrators '],
    [7, true, ['everyone']],
  ),
  profile: text(
    'one of compatible, oauth-2.1, mcp, fapi-2.0',
    ['oauth-2.1'],
    ['', 'OAuth-2.1', 'strict'],
    [7, true, ['mcp']],
  ),
  registration: text(
    'one of off, invitation, open',
    ['off', 'invitation', 'open'],
    ['', 'closed', 'Open'],
    [7, true, ['open']],
  ),
  registrationDomains: {
    valid: [['example.org, school.example', ['example.org', 'school.example']]],
    wrongTexts: [wrong('@example.org', ['[0]', 'expected a domain such as example.org, got "@example.org"'])],
    wrongValues: [
      ...shown('a list of domains such as example.org', ['example.org']),
      wrong([7], ['[0]', 'expected a domain such as example.org, got 7']),
    ],
  },
  'account.deletion': trueOrFalse,
  'account.passwordByRecoveryCode': trueOrFalse,
  'passkeys.relyingPartyId': text(
    'a domain in small letters, such as example.com',
    ['example.com', 'localhost', 'xn--bcher-kva.example'],
    [
      '',
      'Example.com',
      'https://example.com',
      'example.com:443',
      '127.0.0.1',
      '[::1]',
      '.example',
      'a..b',
      '7',
    ],
    [7, ['example.com']],
  ),
  'passkeys.relatedOrigins': {
    valid: [
      ['https://example.net, https://a.example:8443', ['https://example.net', 'https://a.example:8443']],
    ],
    wrongTexts: ['http://example.net', 'https://example.net/', 'https://Example.net', 'example.net'].map(
      (given) => wrong(given, ['[0]', `${relatedOrigin} "${given}"`]),
    ),
    wrongValues: [
      ...shown('a list of https origins such as https://example.net', ['https://example.net']),
      wrong([7], ['[0]', `${relatedOrigin} 7`]),
    ],
  },
  'passwordHashing.concurrency': wholeNumber(1, 128),
  'passwordHashing.maxWaiting': wholeNumber(0, 1000),
  'ownerLimits.records': wholeNumber(0, 10_000_000),
  'ownerLimits.changesPerMinute': wholeNumber(0, 10_000_000),
  'ownerLimits.clientRecords': wholeNumber(0, 10_000_000),
  'ownerLimits.clientChangesPerMinute': wholeNumber(0, 10_000_000),
  'http.requestTimeout': seconds(1, 3600),
  'http.ownReader': trueOrFalse,
  'securityTxt.contact': {
    valid: [
      [
        'mailto:security@example.com, https://example.com/report?a=b,tel:+1-201-555-0123',
        ['mailto:security@example.com', 'https://example.com/report?a=b', 'tel:+1-201-555-0123'],
      ],
      ['', []],
    ],
    wrongTexts: [
      'security@example.com',
      'mailto:security',
      'http://example.com',
      'https://user@example.com/',
      'mailto:a@b.example\nPolicy: https://evil.example',
      'tel:',
      'javascript:alert(1)',
    ].map((given) => wrong(given, ['[0]', withHidden(`${contact} ${JSON.stringify(given)}`, given)])),
    wrongValues: [
      ...shown('a list of mailto:, https: or tel: URIs', ['mailto:security@example.com', 7]),
      wrong(['tel:112', 7], ['[1]', `${contact} 7`]),
    ],
  },
  'securityTxt.policy': {
    ...text(
      'an https URL',
      ['https://example.com/policy'],
      ['', 'example.com', 'http://example.com', 'https://a.example/ b'],
      [7, ['https://example.com']],
    ),
    besides: { 'securityTxt.contact': 'tel:112' },
  },
  'securityTxt.encryption': {
    ...text(
      'an https:, openpgp4fpr: or dns: URI',
      ['https://example.com/key.txt', `openpgp4fpr:${'5f2d'.repeat(10)}`, 'dns:5d2d._openpgpkey.example.com'],
      ['', 'openpgp4fpr:x', 'dns:', '-----BEGIN PGP PUBLIC KEY BLOCK-----'],
      [7, true],
    ),
    besides: { 'securityTxt.contact': 'tel:112' },
  },
  'shutdown.deadline': seconds(1, 3600),
  'shutdown.linger': seconds(0, 3600),
  'purge.interval': seconds(1, 86_400),
  'purge.retention': seconds(0, 315_360_000),
  'audit.retention': seconds(0, 3_155_760_000),
  'audit.loginRetention': seconds(0, 3_155_760_000),
  'clients.metadataDocuments': {
    valid: [
      ['on', 'on'],
      ['off', 'off'],
      ['Tool.example, *.bücher.example', ['tool.example', '*.xn--bcher-kva.example']],
    ],
    wrongTexts: [
      wrong('', ['', `expected ${documentHosts}, got []`]),
      ...['https://a.example', '*', 'a.example.', '*.*.example'].map((given) =>
        wrong(given, ['[0]', `${documentHost} "${given}"`]),
      ),
    ],
    wrongValues: [
      wrong(true, ['', `expected ${documentHosts}, got true`]),
      wrong([7], ['[0]', `${documentHost} 7`]),
    ],
  },
  'clients.metadataDocumentBytes': wholeNumber(1000, 100_000, 'bytes'),
  'clients.unusedDocumentLifetime': wholeNumber(0, 315_360_000, 'seconds'),
  'clients.toolsPerPerson': wholeNumber(0, 10_000),
  'clients.registration': text(
    'one of off, tokens, open',
    ['off', 'tokens', 'open'],
    ['', 'on', 'Open'],
    [7, true, ['open']],
  ),
  'clients.neverUsedLifetime': seconds(0, 315_360_000),
  'clients.unusedLifetime': seconds(0, 315_360_000),
  'clients.assertionIssuers': {
    valid: [
      ['[]', []],
      [
        '[{"issuer":"spiffe://a.example","jwksFile":"/run/bundle.json"}]',
        [{ issuer: 'spiffe://a.example', jwksFile: '/run/bundle.json', usableBy: 'administrators' }],
      ],
      [
        '[{"issuer":"https://a","jwksUri":"https://a/jwks","caFile":"/ca","tokenFile":"/t","usableBy":"group:dev"}]',
        [
          {
            ...{ issuer: 'https://a', jwksUri: 'https://a/jwks', caFile: '/ca', tokenFile: '/t' },
            usableBy: 'group:dev',
          },
        ],
      ],
    ],
    wrongTexts: [wrong('a', ['', 'expected a list of issuers in JSON, got a text that is not JSON'])],
    wrongValues: [
      wrong('a', ['', 'expected a list of issuers, got a text']),
      wrong([{ issuer: 'a' }], ['[0]', 'expected jwksFile or jwksUri, and not both']),
      wrong(
        [{ issuer: 'a', jwksFile: 'f', jwksUri: 'https://a' }],
        ['[0]', 'expected jwksFile or jwksUri, and not both'],
      ),
      wrong([{ issuer: 'a', jwksUri: 'http://a' }], ['[0].jwksUri', 'expected an https URL, got "http://a"']),
      wrong(
        [{ issuer: 'a', jwksFile: 'f', tokenFile: 't' }],
        ['[0]', 'has caFile or tokenFile, which are for jwksUri; leave them out beside jwksFile'],
      ),
      wrong(
        [{ issuer: 'a', jwksFile: 'f', usableBy: 'me' }],
        ['[0].usableBy', 'expected everyone, administrators, or group: and the name of a group, got "me"'],
      ),
      wrong(
        [
          { issuer: 'a', jwksFile: 'f' },
          { issuer: 'a', jwksFile: 'g' },
        ],
        ['', 'has the same issuer twice; the keys of an issuer are in one place'],
      ),
    ],
  },
  'outbound.privateHosts': {
    valid: [['app.internal, 127.0.0.1:8443', ['app.internal', '127.0.0.1:8443']]],
    wrongTexts: [
      ...['https://app.internal', 'a:x', '::1'].map((given) =>
        wrong(given, ['[0]', `${privateHost} "${given}"`]),
      ),
      wrong('a.internal,b c', ['[1]', `${privateHost} "b c"`]),
    ],
    wrongValues: [
      ...shown('a list of host names such as app.internal:8443', ['app.internal']),
      wrong([7, 'a.internal', '*'], ['[0]', `${privateHost} 7`], ['[2]', `${privateHost} "*"`]),
    ],
  },
  'logout.frontchannel': trueOrFalse,
  'pages.productName': text('1 to 60 characters', ['A b'], ['', ' ', 'x'.repeat(61)], [7, true, ['A']]),
  'pages.logo': filePath('an .svg or .png file'),
  'pages.stylesheet': filePath('a .css file'),
  'pages.templates': filePath('a directory'),
  'pages.locales': filePath('a directory'),
  'pages.watch': { besides: { host: '127.0.0.1' }, ...trueOrFalse },
  'pages.placeDatabase': filePath('an .mmdb file'),
  'pages.passwordHelp.text': {
    valid: [
      ['Ask the desk', 'Ask the desk'],
      ['{"en":"Ask","nl":"Vraag"}', { en: 'Ask', nl: 'Vraag' }],
    ],
    wrongTexts: [
      wrong('{"en"', [
        '',
        'expected an object of texts by language tags in JSON, got a text that is not JSON',
      ]),
    ],
    wrongValues: [wrong(7, ['', `${helpForm} a number`])],
  },
  'pages.passwordHelp.url': text(
    'an https or mailto URL',
    ['https://help.example/password', 'mailto:help@id.example'],
    [
      'http://help.example',
      'javascript:alert(1)',
      'mailto:help',
      'https://user@help.example',
      'help.example',
    ],
    [7, ['https://help.example']],
  ),
  'pages.pictureHosts': {
    valid: [['cdn.example.com, a:8443', ['cdn.example.com', 'a:8443']]],
    wrongTexts: [
      ...['https://cdn.example.com', 'a:x', '.a'].map((given) =>
        wrong(given, ['[0]', `${pictureHost} "${given}"`]),
      ),
      wrong('a.example,b c', ['[1]', `${pictureHost} "b c"`]),
    ],
    wrongValues: [
      ...shown('a list of host names such as cdn.example.com', ['cdn.example.com']),
      wrong(
        [7, 'a.example', '*.example.com'],
        ['[0]', `${pictureHost} 7`],
        ['[2]', `${pictureHost} "*.example.com"`],
      ),
    ],
  },
  'signing.algorithms': {
    valid: [
      ['EdDSA', ['EdDSA']],
      [' PS256 ,RS256,, ES256', ['PS256', 'RS256', 'ES256']],
    ],
    wrongTexts: [
      ...['RS512', 'none', 'HS256'].map((given) =>
        wrong(given, ['[0]', `expected ${algorithms}, got ${JSON.stringify(given)}`]),
      ),
      wrong('', ['', `expected ${algorithms}, got []`]),
      wrong('RS256,RS256', ['', `expected ${algorithms}, got ["RS256","RS256"]`]),
    ],
    wrongValues: [
      ...shown(algorithms, ['RS256', 7]),
      wrong(['RS256', 7], ['[1]', `expected ${algorithms}, got 7`]),
    ],
  },
  'signing.rotationInterval': seconds(86_400, 315_360_000),
  'signing.key': {
    valid: ['q'.repeat(43), `${'+/_-'.repeat(10)}abc=`, 'aB'.repeat(32)].map((each) => [each, each]),
    wrongTexts: ['', 'q'.repeat(42), `${'q'.repeat(44)}=`, 'secret'].map((given) =>
      wrong(given, ['', `expected ${signingKey}, got a text`]),
    ),
    wrongValues: [wrong(7, ['', `expected ${signingKey}, got a number`])],
  },
  'signing.keyFile': filePath('a file'),
  'signing.kms': moduleName,
  'signing.kmsOptions': object,
  'mail.url': text(
    'smtps://HOST or smtp+starttls://HOST, with USER@ and :PORT if needed, without a password; smtp://localhost for this machine alone',
    ['smtps://me@mail.example', 'smtp+starttls://mail.example:25', 'smtp://127.0.0.1:2525'],
    ['', 'mail.example', 'smtp://mail.example'],
    [7, ['smtps://mail.example']],
  ),
  'mail.password': {
    valid: [['a b', 'a b']],
    wrongTexts: ['', 'x'.repeat(1001)].map((given) =>
      wrong(given, ['', 'expected 1 to 1000 characters on one line, got a text']),
    ),
    wrongValues: [wrong(7, ['', 'expected 1 to 1000 characters on one line, got a number'])],
  },
  'mail.passwordFile': filePath('a file'),
  'mail.from': text(
    'an address such as no-reply@example.org, or Name <no-reply@example.org>',
    ['a@b.example', 'A B <a@b.example>'],
    ['', 'A', 'a@b.example, c@d.example'],
    [7, ['a@b.example']],
  ),
  'mail.replyTo': text(
    'an address such as help@example.org, or Name <help@example.org>',
    ['a@b.example', 'A B <a@b.example>'],
    ['', 'A', 'a@b.example, c@d.example'],
    [7, ['a@b.example']],
  ),
  'metrics.host': text('a host name or an IP address', ['0.0.0.0', '::1'], ['', 'a b'], [7, ['localhost']]),
  'metrics.port': wholeNumber(0, 65_535),
  'metrics.token': {
    valid: [['0123456789abcdef', '0123456789abcdef']],
    wrongTexts: ['', 'short-secret', 'a secret with spaces', 'x'.repeat(1001)].map((given) =>
      wrong(given, ['', `expected ${metricsToken}, got a text`]),
    ),
    wrongValues: [
      wrong(7, ['', `expected ${metricsToken}, got a number`]),
      wrong(['0123456789abcdef'], ['', `expected ${metricsToken}, got a list`]),
    ],
  },
  'metrics.tokenFile': filePath('a file'),
  'tracing.endpoint': text(
    'an http(s) URL without query, fragment and user',
    ['http://localhost:4318', 'https://otlp.example/path/'],
    ['', 'localhost:4318', 'grpc://localhost:4317', 'http://localhost:4318?a'],
    [7, ['http://localhost:4318']],
  ),
  'tracing.ratio': {
    valid: [
      ['0', 0],
      ['1', 1],
      ['.25', 0.25],
      ['0.001', 0.001],
    ],
    wrongTexts: [
      ...shown(zeroToOne, ['', '.', '-1', '10%', '1e-1', '0,1']),
      wrong('1.1', ['', `expected ${zeroToOne}, got 1.1`]),
    ],
    wrongValues: shown(zeroToOne, ['0.1', -0.1, 1.1, true]),
  },
  'tracing.serviceName': text('1 to 255 characters', ['id-server'], ['', ' '], [7, ['id']]),
  'tracing.trustedCallers': ranges,
  'log.format': text('one of auto, json, text', ['text'], ['', 'JSON', 'pretty'], [7, true, ['json']]),
  'log.level': text(
    'one of fatal, error, warn, info, debug, silent',
    ['debug'],
    ['', 'INFO', 'trace', 'toString'],
    [7, true, ['info']],
  ),
  'log.node': text('1 to 255 characters', ['node-1'], ['', ' '], [7, ['node']]),
  'log.probes': trueOrFalse,
};

describe('each setting', () => {
  it('reads valid texts', async () => {
    for (const path of settingPaths) {
      const { besides, valid } = rules[path];
      for (const [given, value] of valid) {
        const { configuration } = await load({ flags: { ...besides, [path]: given } });
        assert.deepEqual(configuration[path], value, `${path} ${given}`);
      }
    }
  });

  /** Wrong values of all settings at once: the first of each, then the second, and so on. */
  const wrongAtOnce = (which: 'wrongTexts' | 'wrongValues') =>
    Array.from({ length: Math.max(...settingPaths.map((path) => rules[path][which].length)) }, (_, index) =>
      settingPaths.flatMap((path) => {
        const each = rules[path][which][index];
        return each === undefined ? [] : [{ path, ...each }];
      }),
    );
  type Wrong = ReturnType<typeof wrongAtOnce>[number];
  const lines = (wrongs: Wrong, place: (path: SettingPath) => string) =>
    wrongs.flatMap(({ path, problems }) =>
      problems.map(([within, problem]) => `  ${path}${within} (${place(path)}): ${problem}`),
    );

  it('rejects a wrong text and names flag or variable, expected value and given value', async () => {
    for (const wrongs of wrongAtOnce('wrongTexts')) {
      const givenTo = (name: (path: SettingPath) => string) =>
        Object.fromEntries(wrongs.map(({ path, given }) => [name(path), String(given)]));
      assert.deepEqual(await problems({ flags: givenTo((path) => path) }), lines(wrongs, flagName));
      // An empty variable is not set.
      const set = wrongs.filter(({ given }) => given !== '');
      assert.deepEqual(
        await problems({ environment: givenTo(environmentName) }),
        lines(set, environmentName),
      );
    }
  });

  it('rejects a wrong value of a file and names file, expected value and given value', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.json');
    for (const wrongs of wrongAtOnce('wrongValues')) {
      await writeFile(
        file,
        JSON.stringify(Object.fromEntries(wrongs.map(({ path, given }) => [path, given]))),
      );
      assert.deepEqual(
        await problems({ file }),
        lines(wrongs, () => file),
      );
    }
  });
});
