import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { layout } from '../../deploy/image/layout.ts';
import { loadConfiguration } from '../../packages/server/src/config/load.ts';

const folder = fileURLToPath(new URL('../../deploy/compose/', import.meta.url));
const domain = 'id.example.com';
const compose = parse(
  readFileSync(`${folder}compose.yaml`, 'utf8').replace(/\$\{WATCHWORD_DOMAIN(?::[^}]*)?\}/g, domain),
  { merge: true },
);
const services: Readonly<Record<string, Service>> = compose.services;

interface Service {
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly secrets?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly tmpfs?: readonly string[];
  readonly volumes?: readonly string[];
}

describe('compose.yaml', () => {
  it('follows the schema of the Compose Specification', () => {
    const schema = JSON.parse(readFileSync(new URL('schemas/compose-spec.json', import.meta.url), 'utf8'));
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    const validate = ajv.compile({ ...schema, $schema: 'http://json-schema.org/draft-07/schema' });
    validate(compose);
    assert.deepEqual(validate.errors ?? [], []);
    assert.ok(!validate({ services: { a: { imagee: 'x' } } }));
  });

  it('is understood by docker compose', (test) => {
    const isMissing = spawnSync('docker', ['compose', 'version']).status !== 0;
    if (isMissing) return test.skip('docker compose is not on this machine');
    const env = { ...process.env, WATCHWORD_DOMAIN: domain };
    execFileSync('docker', ['compose', 'config', '--quiet'], { cwd: folder, env });
    return undefined;
  });

  for (const [name, service] of Object.entries(services)) {
    it(`${name}: has a read-only root, no right that it does not need, and only secrets that exist`, () => {
      assert.ok(service.read_only);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
      for (const secret of service.secrets ?? []) assert.ok(compose.secrets[secret], secret);
      const files = Object.entries(service.environment ?? {}).filter(([variable]) =>
        variable.endsWith('_FILE'),
      );
      for (const [, file] of files) assert.ok(service.secrets?.includes(basename(file)), file);
    });
  }

  for (const name of ['watchword', 'migrate']) {
    it(`${name}: has settings that the server accepts, and no right to read the secrets of another role`, async () => {
      const { environment = {}, secrets = [], cap_add } = services[name] ?? {};
      assert.equal(cap_add, undefined);
      assert.ok(secrets.every((secret) => !secret.startsWith(name === 'watchword' ? 'owner' : 'server')));
      await using directory = await temporaryDirectory();
      writeFileSync(directory.file('url'), 'postgres://watchword:x@database/watchword');
      const url = { WATCHWORD_DATABASE_URL_FILE: directory.file('url') };
      const loaded = await loadConfiguration({
        flags: {},
        environment: { ...environment, ...url },
        file: undefined,
      });
      assert.deepEqual(loaded.warnings, []);
      assert.equal(loaded.configuration.database, 'postgres://watchword:x@database/watchword');
      if (name === 'migrate') return;
      assert.equal(loaded.configuration.baseUrl, `https://${domain}`);
      assert.equal(loaded.configuration['administration.registration'], 'administrators');
      const [{ subnet }] = compose.networks.front.ipam.config;
      assert.deepEqual(loaded.configuration.trustedProxies, [subnet]);
    });
  }

  it('sends the requests of the proxy to the port of the image, by the configuration for Caddy', () => {
    assert.equal(services.proxy?.environment?.WATCHWORD_UPSTREAM, `watchword:${layout.port}`);
    const mounted = services.proxy?.volumes?.find((volume) => volume.includes('Caddyfile'))?.split(':')[0];
    const text = readFileSync(`${folder}${mounted}`, 'utf8');
    for (const name of Object.keys(services.proxy?.environment ?? {}))
      assert.ok(text.includes(`{$${name}:`), name);
  });

  it('has its secrets made by one script, once, in a folder that only the operator can enter', async () => {
    await using directory = await temporaryDirectory();
    copyFileSync(`${folder}make-secrets.sh`, directory.file('make-secrets.sh'));
    const make = () => spawnSync('sh', [directory.file('make-secrets.sh')], { encoding: 'utf8' });
    assert.equal(make().status, 0);
    const secrets = directory.file('secrets');
    assert.deepEqual(readdirSync(secrets).sort(), Object.keys(compose.secrets).sort());
    assert.equal(statSync(secrets).mode & 0o777, 0o700);
    const read = () => readdirSync(secrets).map((name) => readFileSync(`${secrets}/${name}`, 'utf8'));
    const made = read();
    assert.equal(new Set(made).size, made.length);
    const again = make();
    assert.deepEqual([again.status, again.stderr], [1, 'secrets/ exists already; nothing was changed.\n']);
    assert.deepEqual(read(), made);
  });
});
