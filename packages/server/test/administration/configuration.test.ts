import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { slowTest } from '@watchword/testkit';
import * as v from 'valibot';
import { loadConfiguration, type Sources } from '../../src/config/load.ts';
import { maskCredentials } from '../../src/config/mask.ts';
import {
  environmentName,
  flagName,
  type Setting,
  settingPaths,
  settings,
} from '../../src/config/settings.ts';
import { ConfigurationError } from '../../src/configuration-error.ts';

const load = (sources: Partial<Sources> = {}) =>
  loadConfiguration({ flags: {}, environment: {}, file: undefined, ...sources });

async function problemsOf(sources: Partial<Sources>): Promise<string> {
  try {
    await load(sources);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return error.message;
  }
  return assert.fail('the configuration was accepted');
}

describe('the configuration', () => {
  it('prefers a flag over a variable, a variable over the file, and the file over the default', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.yaml');
    await writeFile(
      file,
      'port: 1001\nlog:\n  level: warn\nshutdown.deadline: 3\nscope: {commaSeparated: true}\n',
    );
    const environment = { WATCHWORD_PORT: '1002', WATCHWORD_LOG_LEVEL: 'error', WATCHWORD_HOST: '' };
    const { configuration, origins } = await load({ flags: { port: '1003' }, environment, file });
    assert.equal(configuration.port, 1003);
    assert.equal(configuration['log.level'], 'error');
    assert.equal(configuration['shutdown.deadline'], 3);
    assert.ok(configuration['scope.commaSeparated']);
    assert.equal(configuration.host, 'localhost');
    assert.equal(configuration.baseUrl, 'http://localhost:1003');
    assert.deepEqual(
      [origins.port, origins['log.level'], origins['shutdown.deadline'], origins.host],
      ['flag', 'environment', 'file', 'default'],
    );
    assert.ok(Object.isFrozen(configuration));
  });

  it('reads a JSON file that WATCHWORD_CONFIG names', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.json');
    await writeFile(file, JSON.stringify({ trustedProxies: ['10.0.0.0/8', '::1'], purge: { interval: 5 } }));
    const { configuration } = await load({ environment: { WATCHWORD_CONFIG: file } });
    assert.deepEqual(configuration.trustedProxies, ['10.0.0.0/8', '::1']);
    assert.equal(configuration['purge.interval'], 5);
  });

  it('resolves relative paths of a file from its directory, and of flags and variables from the working directory', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.yaml');
    const pages = {
      logo: './logo.svg',
      stylesheet: 'theme.css',
      templates: '../templates',
      locales: '/etc/texts',
    };
    const settings = {
      database: 'data/x.db',
      authenticator: './login.js',
      consent: '@example/consent',
      pages,
    };
    await writeFile(file, JSON.stringify(settings));
    const { configuration } = await load({ file: relative(process.cwd(), file) });
    assert.equal(configuration.database, directory.file('data/x.db'));
    assert.equal(configuration.authenticator, directory.file('login.js'));
    assert.equal(configuration.consent, '@example/consent');
    assert.equal(configuration['pages.logo'], directory.file('logo.svg'));
    assert.equal(configuration['pages.stylesheet'], directory.file('theme.css'));
    assert.equal(configuration['pages.templates'], join(dirname(directory.path), 'templates'));
    assert.equal(configuration['pages.locales'], '/etc/texts');

    const flags = { database: 'flag.db', consent: './consent.js' };
    const environment = { WATCHWORD_PAGES_LOGO: 'logo.png' };
    const others = (await load({ file, flags, environment })).configuration;
    assert.equal(others.database, 'flag.db');
    assert.equal(others.consent, './consent.js');
    assert.equal(others['pages.logo'], 'logo.png');
    assert.equal((await load()).configuration.database, './data/watchword.db');
  });

  // The test before this one is of the same rule.
  slowTest('finds the files that its file names when the command runs in another directory', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.yaml');
    const elsewhere = directory.file('elsewhere');
    await mkdir(elsewhere);
    await writeFile(file, 'port: 0\ndatabase: ./own.db\n');
    const { code, stderr } = await watchword(['migrate', '--config', '../watchword.yaml'], {
      cwd: elsewhere,
    });
    assert.equal(code, 0, stderr);
    assert.ok((await readdir(directory.path)).includes('own.db'));
    assert.deepEqual(await readdir(elsewhere), []);
  });

  it('reports all problems of all sources at once, with setting, place, expected and given value', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.yaml');
    await writeFile(file, 'prot: 1\npurge: {interval: "5"}\ndatabase: 7\ntrustedProxies: 10.0.0.1\n');
    const message = await problemsOf({
      flags: { port: '65536', 'log.level': 'loud' },
      environment: { WATCHWORD_SCOPE_COMMA_SEPARATED: 'maybe', WATCHWORD_BASE_URL: 'https://u:p@h/' },
      file,
    });
    for (const line of [
      '  port (--port): expected a whole number from 0 to 65535, got 65536',
      '  log.level (--log-level): expected one of fatal, error, warn, info, debug, silent, got "loud"',
      '  scope.commaSeparated (WATCHWORD_SCOPE_COMMA_SEPARATED): expected true or false, got "maybe"',
      `  purge.interval (${file}): expected a whole number of seconds from 1 to 86400, got "5"`,
      `  database (${file}): expected the path of a file, or a URL such as postgres://user@host/name, got 7`,
      `  trustedProxies (${file}): expected a list of IP addresses or ranges such as 10.0.0.0/8, got "10.0.0.1"`,
    ]) {
      assert.ok(message.includes(line), `${line}\nin\n${message}`);
    }
    assert.match(message, /prot \(.*watchword\.yaml\): is not a setting; did you mean port\?/);
    assert.match(message, /baseUrl .* got "https:\/\/u:\*\*\*@h\/"/);
  });

  it('suggests the setting that was probably meant, and explains a variable of Kubernetes', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('x.yaml');
    for (const [given, meant] of [
      ['jsonTypeInfoIncluded', 'adminService.jsonTypeInfoIncluded'],
      ['http.port', 'port'],
      ['log_level', 'log.level'],
      ['purge.intervall', 'purge.interval'],
      ['auhtenticator', 'authenticator'],
    ]) {
      await writeFile(file, `${given}: 1\n`);
      const line = `${given} (${file}): is not a setting; did you mean ${meant}?`;
      assert.ok((await problemsOf({ file })).includes(line), line);
    }
    assert.match(
      await problemsOf({ environment: { WATCHWORD_PORT: 'tcp://10.0.0.1:8080' } }),
      /enableServiceLinks: false/,
    );
  });

  it('rejects a file that is missing, is not YAML or is not a mapping', async () => {
    await using directory = await temporaryDirectory();
    assert.match(await problemsOf({ file: directory.file('missing') }), /cannot be read: ENOENT/);
    for (const [content, problem] of [
      ['port: 1\nhost: [', ':2): cannot be read: Flow sequence in block collection must be'],
      ['- 1\n', '): cannot be read: expected a mapping of settings'],
      ['"text"', '): cannot be read: expected a mapping of settings'],
      ['port: 1\n---\nport: 2', ':2): cannot be read: expected one document, got several'],
    ] as const) {
      await writeFile(directory.file('bad.yaml'), content);
      const message = await problemsOf({ file: directory.file('bad.yaml') });
      assert.ok(message.includes(`config (${directory.file('bad.yaml')}${problem}`), message);
    }
    await writeFile(directory.file('empty.yaml'), '# nothing\n');
    await load({ file: directory.file('empty.yaml') });
  });

  it('reports a setting that is written in two spellings, with both of them', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.yaml');
    for (const [content = '', ...problems] of [
      ['log: {level: warn}\nlog.level: info', 'log.level|level within log and as log.level'],
      [
        'log.level: info\nport: 1\nlog: {level: info}\npurge: {interval: 5}\n"purge.interval": 6',
        'log.level|log.level and as level within log',
        'purge.interval|interval within purge and as purge.interval',
      ],
    ]) {
      await writeFile(file, content);
      const lines = problems.map((each) => {
        const [path, spellings] = each.split('|');
        return `  ${path} (${file}): is written as ${spellings}; remove one of them`;
      });
      assert.deepEqual((await problemsOf({ file })).split('\n').slice(1), lines);
    }
    await writeFile(file, 'log: {level: warn}\nlog: {format: text}');
    assert.match(await problemsOf({ file }), /:2\): cannot be read: Map keys must be unique/);
    await writeFile(file, 'log: {level: warn}\nlog.level:\nlog.format: text');
    assert.equal((await load({ file })).configuration['log.level'], 'warn', 'a key without a value is none');
  });

  it('is read from UTF-8, with or without a byte order mark, and refused in other bytes', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.yaml');
    const content = 'pages: {productName: "Zürich"}\r\n';
    await writeFile(file, `\ufeff${content}`);
    assert.equal((await load({ file })).configuration['pages.productName'], 'Zürich');
    for (const encoding of ['latin1', 'utf16le'] as const) {
      await writeFile(file, Buffer.from(`\ufeff${content}`.slice(encoding === 'latin1' ? 1 : 0), encoding));
      const problem = 'cannot be read: expected UTF-8, got other bytes; convert it to UTF-8';
      assert.ok((await problemsOf({ file })).endsWith(`\n  config (${file}): ${problem}`), encoding);
    }
  });

  it('counts a variable that is empty as not set, also the one that names the file', async () => {
    const empty = Object.fromEntries(settingPaths.map((path) => [environmentName(path), '']));
    const environment = {
      ...empty,
      WATCHWORD_CONFIG: '',
      WATCHWORD_COLOUR: '',
      OTEL_EXPORTER_OTLP_ENDPOINT: '',
      OTEL_SERVICE_NAME: '',
    };
    assert.deepEqual(await load({ environment }), await load());
    const { code, stderr } = await watchword(['config'], { env: { WATCHWORD_CONFIG: '' } });
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('reports every error of YAML with its line, and no text of the file, which can be a secret', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.yaml');
    const values = ['*S3CRET', '|S3CRET', '"\\S3CRET"', '`S3CRET', '{ [S3CRET', 'S3CRET: S3CRET: 1'];
    for (const value of values) {
      await writeFile(file, `port: 0\nauthenticatorOptions:\n  key: ${value}\n`);
      const message = await problemsOf({ file });
      assert.match(message, /config \(.*watchword\.yaml(?::\d)?\): cannot be read: \w/, value);
      assert.doesNotMatch(message, /S3CRET/, value);
    }
    await writeFile(file, 'authenticatorOptions:\n  a: @x\n  b: `y\n');
    const both = await problemsOf({ file });
    assert.match(both, /:2\): cannot be read: .*\n.*:3\): cannot be read: /);
    for (const [content, warning] of [
      ['authenticatorOptions:\n  key: !S3CRET x\n', ':2: Unresolved tag'],
      ['%S3CRET\n---\nport: 0\n', ':1: Unknown directive'],
    ]) {
      await writeFile(file, content ?? '');
      assert.deepEqual((await load({ file })).warnings, [`${file}${warning}`]);
    }
  });

  it('rejects a value of YAML that contains itself', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.yaml');
    for (const content of ['pages: &a {b: *a}', 'host: &a [*a]', 'consentOptions: &a {b: *a}']) {
      await writeFile(file, content);
      const message = await problemsOf({ file });
      assert.match(message, /cannot be read: An alias is part of the value that it repeats$/, content);
    }
  });

  it('rejects a setting with the name of a member of every object', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.yaml');
    await writeFile(file, 'constructor: 1\npages: {__proto__: 2}\n');
    const message = await problemsOf({ file });
    assert.match(
      message,
      /^ {2}constructor \(.*\): is not a setting; "watchword config" shows all settings$/m,
    );
    assert.match(message, /^ {2}pages\.__proto__ \(.*\): is not a setting;/m);
  });

  it('warns of a variable that begins like a setting and is not one', async () => {
    const environment = { WATCHWORD_TRUSTED_PROXY: '1', WATCHWORD_COLOUR: 'red', OTHER: 'x' };
    const { warnings } = await load({ environment });
    assert.deepEqual(warnings, [
      'WATCHWORD_TRUSTED_PROXY is set but is not a setting; did you mean WATCHWORD_TRUSTED_PROXIES?',
      'WATCHWORD_COLOUR is set but is not a setting; "watchword config" shows the names of all settings',
    ]);
  });

  for (const [given, isValid] of [
    ['https://id.example', true],
    ['https://id.example/auth', true],
    ['http://localhost:8080', true],
    ['https://id.example/', false],
    ['HTTPS://ID.example', true],
    ['https://id.example:443', false],
    ['http://[::1]:8080/a', true],
    ['https://id.example/a/../b', false],
    ['https://id.example/a*b', false],
    ['https://id.example/:a', false],
    ['https://id.example/a%20b', false],
    ['https://user@id.example', false],
    ['https://id.example?x', false],
    ['https://id.example#x', false],
    ['ftp://id.example', false],
    ['id.example', false],
  ] as const) {
    it(`${isValid ? 'accepts' : 'rejects'} ${given} as base URL`, async () => {
      const loading = load({ flags: { baseUrl: given } });
      await (isValid ? loading : assert.rejects(loading, ConfigurationError));
    });
  }

  it('has a valid default for every setting', () => {
    for (const path of settingPaths) {
      const { kind, default: fallback }: Setting<unknown> = settings[path];
      if (fallback === undefined || Array.isArray(fallback)) continue;
      assert.ok(v.is(kind.fromFile, fallback), path);
    }
  });

  it('gives every setting one name in file, flags and environment, and a help text', () => {
    for (const path of settingPaths) {
      assert.match(flagName(path), /^--[a-z-]+$/);
      assert.equal(
        environmentName(path),
        `WATCHWORD_${flagName(path).slice(2).replaceAll('-', '_').toUpperCase()}`,
      );
      assert.match(settings[path].help, /\.$/);
    }
    assert.equal(flagName('adminService.jsonTypeInfoIncluded'), '--admin-service-json-type-info-included');
  });

  it('hides the passwords of URLs in what is shown', () => {
    assert.equal(maskCredentials('postgres://u:p:w@h/db?x=a:b'), 'postgres://u:***@h/db?x=a:b');
    assert.equal(maskCredentials('postgres://u:pa/ss@h/db'), 'postgres://u:***@h/db');
    assert.equal(maskCredentials('"pg://h?password=x&b=1"'), '"pg://h?password=***&b=1"');
    assert.equal(maskCredentials('https://host/a@b'), 'https://host/a@b');
  });
});

describe('watchword config', () => {
  it('prints the effective value of every setting and its source', async () => {
    const env = { WATCHWORD_LOG_LEVEL: 'warn', WATCHWORD_TYPO: '1' };
    const table = await watchword(['config', '--port', '9000'], { env });
    assert.equal(table.code, 0);
    assert.match(table.stdout, /^port +9000 +flag +WATCHWORD_PORT$/m);
    assert.match(table.stdout, /^log\.level +warn +environment/m);
    assert.match(table.stderr, /warning: WATCHWORD_TYPO/);
    const { stdout } = await watchword(['config', '--json', '--scope-comma-separated'], { env });
    const rows: { setting: string; value: unknown; origin: string }[] = JSON.parse(stdout);
    assert.deepEqual(
      rows.map(({ setting }) => setting),
      settingPaths,
    );
    const byPath = new Map(rows.map(({ setting, value, origin }) => [setting, [value, origin]]));
    assert.deepEqual(byPath.get('log.level'), ['warn', 'environment']);
    assert.deepEqual(byPath.get('scope.commaSeparated'), [true, 'flag']);
  });

  it('exits with code 2 and all problems when the configuration has errors', async () => {
    const { code, stderr } = await watchword(['config', '--port', 'x', '--log-level', 'y']);
    assert.equal(code, 2);
    assert.match(stderr, /port \(--port\)[\s\S]*log\.level \(--log-level\)/);
  });
});
