import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { startAdministration } from '@watchword/server-testkit/servers/administration';
import { effectiveSettings } from '../../src/config/effective-settings.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { settingPaths } from '../../src/config/settings.ts';

const hidden = 'never-shown';

describe('the settings that administrators see', () => {
  it('have effective values, and name the flag, the variable or the file that each came from', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.yaml');
    await writeFile(file, 'purge: {interval: 30}\nport: 1\n');
    const { configuration, sources } = await loadConfiguration({
      flags: { port: '3' },
      environment: { WATCHWORD_LOG_LEVEL: 'warn', OTEL_SERVICE_NAME: 'id' },
      file,
    });
    const shown = new Map(effectiveSettings(configuration, sources).map((each) => [each.name, each]));
    assert.deepEqual([...shown.keys()], settingPaths);
    const sourceOf = (name: (typeof settingPaths)[number]) => {
      const { value, origin, place, isHidden } = shown.get(name) ?? assert.fail(name);
      return [value, origin, place, isHidden];
    };
    assert.deepEqual(sourceOf('port'), [3, 'flag', '--port', false]);
    assert.deepEqual(sourceOf('log.level'), ['warn', 'environment', 'WATCHWORD_LOG_LEVEL', false]);
    assert.deepEqual(sourceOf('tracing.serviceName'), ['id', 'environment', 'OTEL_SERVICE_NAME', false]);
    assert.deepEqual(sourceOf('purge.interval'), [30, 'file', file, false]);
    assert.deepEqual(sourceOf('code.lifetime'), [60, 'default', undefined, false]);
    assert.deepEqual(sourceOf('baseUrl'), ['http://localhost:3', 'default', undefined, false]);
  });

  it('never leave the server with a secret, whichever source and member has it', async () => {
    const { configuration, sources } = await loadConfiguration({
      flags: {
        database: `postgres://id:${hidden}@db.example/id`,
        databaseListen: `postgres://id:${hidden}@db.example/id?password=${hidden}`,
        'metrics.token': `${hidden}-${'x'.repeat(30)}`,
        'signing.kmsOptions': JSON.stringify({ token: hidden, deep: { list: [hidden] } }),
        consentOptions: JSON.stringify({ token: hidden }),
        authenticators: JSON.stringify([{ module: 'form', options: { secret: hidden } }]),
      },
      environment: { WATCHWORD_SIGNING_KEY: Buffer.alloc(32, hidden).toString('base64') },
      file: undefined,
    });
    const shown = effectiveSettings(configuration, sources);
    const text = JSON.stringify(shown);
    assert.ok(!text.includes(hidden));
    assert.ok(!text.includes(Buffer.alloc(32, hidden).toString('base64')));
    assert.deepEqual(
      shown.filter(({ isHidden }) => isHidden).map(({ name }) => name),
      [
        ...['database', 'databaseListen', 'authenticators', 'consentOptions'],
        ...['signing.key', 'signing.kmsOptions', 'metrics.token'],
      ],
    );
    const valueAt = (name: string) => shown.find((each) => each.name === name)?.value;
    assert.deepEqual(
      [valueAt('signing.key'), valueAt('consentOptions'), valueAt('database')],
      [undefined, { token: '***' }, 'postgres://id:***@db.example/id'],
    );
  });

  it('are answered to administrators alone, each with its description for people', async () => {
    const token = 'x'.repeat(40);
    await using server = await startAdministration({
      baseUrl: 'http://localhost/auth',
      'metrics.token': token,
      'code.lifetime': '417',
    });
    const answer = await (await server.administrator()).get('/admin/setting?limit=1000');
    assert.deepEqual(
      answer.json.map(({ name }: { name: string }) => name),
      settingPaths,
    );
    assert.ok(!answer.text.includes(token));
    const { description, ...lifetime } = answer.json.find(
      ({ name }: { name: string }) => name === 'code.lifetime',
    );
    assert.deepEqual(lifetime, {
      name: 'code.lifetime',
      value: 417,
      hidden: false,
      origin: 'flag',
      place: '--code-lifetime',
      flag: '--code-lifetime',
      environmentVariable: 'WATCHWORD_CODE_LIFETIME',
      default: 60,
      documentation: '/auth/admin/docs#setting-code.lifetime',
    });
    const page = await server.get('/admin/docs');
    assert.ok(page.text.includes('id="setting-code.lifetime"') && page.text.includes(description));
    assert.ok(!page.text.includes(token) && !page.text.includes('417'));
    for (const caller of [await server.person('emma'), await server.actingClient('Job')]) {
      const refused = await caller.get('/admin/setting');
      assert.deepEqual([refused.status, refused.json.error], [403, 'access_denied']);
    }
  });
});
