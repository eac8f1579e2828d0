import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/process';
import { loadConfiguration, type Sources } from '../src/config/load.ts';
import {
  type Configuration,
  environmentName,
  flagName,
  type SettingPath,
  settingPaths,
} from '../src/config/settings.ts';
import { ConfigurationError } from '../src/configuration-error.ts';

const load = (sources: Partial<Sources>) =>
  loadConfiguration({ flags: {}, environment: {}, file: undefined, ...sources });

/** The problems of a configuration, one a line. */
async function problems(sources: Partial<Sources>): Promise<string[]> {
  try {
    await load(sources);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    return error.message.split('\n').slice(1);
  }
  return [];
}

const seconds = (from: number, to: number) => wholeNumber(from, to, ' of seconds');
const wholeNumber = (from: number, to: number, unit = '') => ({
  expected: `a whole number${unit} from ${from} to ${to}`,
  valid: [
    [String(from), from],
    [`00${to}`, to],
  ],
  wrongTexts: ['', 'x', '-1', '1.5', '1e3', '0x1', ' 1', String(to + 1), '9'.repeat(16)],
  wrongValues: ['1', -1, 1.5, to + 1, true, [1]],
});
const trueOrFalse = {
  expected: 'true or false',
  valid: [
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ],
  wrongTexts: ['', 'yes', 'TRUE', '2'],
  wrongValues: ['true', 1, []],
};
const moduleName = {
  expected: 'the name of a module, a package or a file',
  valid: [
    ['form', 'form'],
    ['@example/login', '@example/login'],
    ['./login.js', './login.js'],
  ],
  wrongTexts: ['', 'a b', '\0', 'x'.repeat(1001)],
  wrongValues: [7, true, ['form']],
};
const filePath = (kind: string) => ({
  expected: `the path of ${kind}`,
  valid: [['a b/c', 'a b/c']],
  wrongTexts: ['', 'a\0'],
  wrongValues: [7, false, ['a']],
});
const object = {
  expected: 'an object, as text in JSON',
  isSecret: true,
  valid: [
    ['{}', {}],
    [' {"a": {"constructor": [1]}} ', { a: { constructor: [1] } }],
  ],
  wrongTexts: ['', '{', 'null', '7', '"x"', '[]'],
  wrongValues: [7, 'secret', true, ['secret']],
};

interface Rule {
  /** Completes "expected …". */
  readonly expected: string;
  readonly isSecret?: boolean;
  readonly valid: readonly (readonly unknown[])[];
  readonly wrongTexts: readonly string[];
  readonly wrongValues: readonly unknown[];
}

const rules: Readonly<Record<SettingPath, Rule>> = {
  host: {
    expected: 'a host name or an IP address',
    valid: [
      ['0.0.0.0', '0.0.0.0'],
      ['::1', '::1'],
      ['id.example', 'id.example'],
    ],
    wrongTexts: ['', 'a b', 'https://id.example', 'x'.repeat(256)],
    wrongValues: [7, ['localhost']],
  },
  port: wholeNumber(0, 65_535),
  baseUrl: {
    expected: 'an http(s) URL without query, fragment, user or slash at its end',
    valid: [['https://id.example/auth', 'https://id.example/auth']],
    wrongTexts: ['', 'id.example', 'https://id.example/', 'ftp://id.example'],
    wrongValues: [443, ['https://id.example']],
  },
  database: {
    expected: 'the path of a file',
    valid: [['./a b.db', './a b.db']],
    wrongTexts: ['', ':memory:', 'file:x.db', 'postgres://h/db', 'folder/', 'a\0'],
    wrongValues: [7, ['x.db']],
  },
  trustedProxies: {
    expected: 'IP addresses or ranges such as 10.0.0.0/8',
    valid: [
      ['', []],
      [' 10.0.0.0/8 ,::1,, fd00::/8', ['10.0.0.0/8', '::1', 'fd00::/8']],
    ],
    wrongTexts: ['x', '10.0.0.1,10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', '10.0.0.0/-1'],
    wrongValues: ['10.0.0.1', 7, [7], ['10.0.0.1', 'x']],
  },
  authenticator: moduleName,
  authenticatorOptions: object,
  authenticators: {
    expected: 'a list of modules, or as text JSON or names separated by commas',
    isSecret: true,
    valid: [
      ['password, form', [{ module: 'password' }, { module: 'form' }]],
      [' ["form", {"module": "noop", "as": "a"}]', [{ module: 'form' }, { module: 'noop', as: 'a' }]],
    ],
    wrongTexts: ['[', '[]', '[1]', '[["form"]]', '[null]'],
    wrongValues: ['form', 7, [], [7], [['secret']]],
  },
  allowInsecureAuthentication: trueOrFalse,
  consent: moduleName,
  consentOptions: object,
  'session.idleLifetime': seconds(60, 31_536_000),
  'session.lifetime': seconds(60, 31_536_000),
  'authState.lifetime': seconds(60, 86_400),
  'code.lifetime': seconds(1, 600),
  'implicit.lifetime': seconds(60, 31_536_000),
  'refresh.idleLifetime': seconds(60, 315_360_000),
  'refresh.lifetime': seconds(60, 315_360_000),
  'refresh.graceSeconds': seconds(0, 300),
  'refresh.publicGraceSeconds': seconds(0, 300),
  'refresh.graceStreak': wholeNumber(0, 100),
  'token.omitZeroExpiresIn': trueOrFalse,
  'adminService.jsonTypeInfoIncluded': trueOrFalse,
  'scope.commaSeparated': trueOrFalse,
  'failedAttempts.perIdentifier': wholeNumber(0, 1_000_000),
  'failedAttempts.perAddress': wholeNumber(0, 1_000_000),
  'ownerLimits.records': wholeNumber(0, 10_000_000),
  'ownerLimits.changesPerMinute': wholeNumber(0, 10_000_000),
  'ownerLimits.clientRecords': wholeNumber(0, 10_000_000),
  'ownerLimits.clientChangesPerMinute': wholeNumber(0, 10_000_000),
  'http.requestTimeout': seconds(1, 3600),
  'shutdown.deadline': seconds(1, 3600),
  'shutdown.linger': seconds(0, 3600),
  'purge.interval': seconds(1, 86_400),
  'purge.retention': seconds(0, 315_360_000),
  'audit.retention': seconds(0, 3_155_760_000),
  'audit.loginRetention': seconds(0, 3_155_760_000),
  'pages.productName': {
    expected: '1 to 60 characters',
    valid: [['A b', 'A b']],
    wrongTexts: ['', ' ', 'x'.repeat(61)],
    wrongValues: [7, true, ['A']],
  },
  'pages.logo': filePath('an .svg or .png file'),
  'pages.stylesheet': filePath('a .css file'),
  'pages.templates': filePath('a directory'),
  'pages.locales': filePath('a directory'),
  'pages.pictureHosts': {
    expected: 'host names such as cdn.example.com',
    valid: [['cdn.example.com, a:8443', ['cdn.example.com', 'a:8443']]],
    wrongTexts: ['https://cdn.example.com', 'a.example,b c', 'a:x', '.a'],
    wrongValues: ['cdn.example.com', [7], ['a.example', '*.example.com']],
  },
  'log.level': {
    expected: 'one of fatal, error, warn, info, debug, silent',
    valid: [['debug', 'debug']],
    wrongTexts: ['', 'INFO', 'trace', 'toString'],
    wrongValues: [7, true, ['info']],
  },
};

/** A value as a problem shows it. */
function shown(value: unknown, { isSecret = false }: Rule): string {
  if (isSecret) return `a ${typeof value} that is not valid`;
  return JSON.stringify(value).slice(0, 100);
}

describe('a setting', () => {
  for (const path of settingPaths) {
    const rule = rules[path];
    const line = (place: string, value: unknown) =>
      `  ${path} (${place}): expected ${rule.expected}, got ${shown(value, rule)}`;

    it(`${path} reads valid texts`, async () => {
      for (const [text, value] of rule.valid) {
        const { configuration } = await load({ flags: { [path]: text as string } });
        assert.deepEqual((configuration as Configuration)[path], value, String(text));
      }
    });

    it(`${path} rejects each wrong text and names flag or variable, expected value and given value`, async () => {
      for (const text of rule.wrongTexts) {
        assert.deepEqual(await problems({ flags: { [path]: text } }), [line(flagName(path), text)]);
        if (text === '') continue;
        const variable = environmentName(path);
        assert.deepEqual(await problems({ environment: { [variable]: text } }), [line(variable, text)]);
      }
    });

    it(`${path} rejects each wrong value of a file and names file, expected value and given value`, async () => {
      await using directory = await temporaryDirectory();
      const file = directory.file('watchword.json');
      for (const value of rule.wrongValues) {
        await writeFile(file, JSON.stringify({ [path]: value }));
        assert.deepEqual(await problems({ file }), [line(file, value)]);
      }
    });
  }
});
