import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { startServer } from '@watchword/server-testkit/servers/server';
import { parse } from 'yaml';
import { chart, type Manifest, manifestsIn, renderedFile } from './chart.ts';

// Of a chart with everything on.
const manifests = manifestsIn(readFileSync(renderedFile('full'), 'utf8'));
const values = parse(readFileSync(`${chart}/ci/full-values.yaml`, 'utf8'));
const defaults = parse(readFileSync(`${chart}/values.yaml`, 'utf8'));

// biome-ignore lint/suspicious/noExplicitAny: tests read any field of a manifest
type Any = any;
const named = (kind: string, name: string): Manifest & Any => {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  assert.ok(found, `${kind} ${name}`);
  return found;
};

const prefix = new URL(values.baseUrl).pathname;
const [{ http }] = named('Ingress', 'watchword').spec.rules;
const serviceOf = (path: string) => {
  const [exact] = http.paths.filter((each: Any) => each.path === path && each.pathType !== 'Prefix');
  return exact?.backend.service.name ?? 'the one of the prefix';
};

describe('the ingress of the chart', () => {
  it('leads the base URL to the servers, but not to their health', () => {
    const [{ path, backend }] = http.paths.filter((each: Any) => each.pathType === 'Prefix');
    assert.deepEqual([path, backend.service.name], [prefix, 'watchword']);
    for (const probe of ['/healthz', '/readyz']) {
      const closed = named('Service', serviceOf(`${prefix}${probe}`));
      assert.equal(closed.spec.selector, undefined, 'a service with a selector has pods');
      assert.deepEqual(closed.spec.ports[0].name, 'http');
    }
  });

  it('leads what the root of the host has for a base URL with a path to the servers, and security.txt if there is one', () => {
    for (const path of [
      `/.well-known/oauth-authorization-server${prefix}`,
      `/.well-known/openid-configuration${prefix}`,
      '/.well-known/change-password',
      '/.well-known/passkey-endpoints',
      '/.well-known/webauthn',
      '/.well-known/security.txt',
    ]) {
      assert.equal(serviceOf(path), 'watchword', path);
    }
    assert.ok(values.settings.securityTxt.contact.length > 0);
  });

  it('has the annotations of ingress-nginx by default, beside those of the operator', () => {
    const { annotations } = named('Ingress', 'watchword').metadata;
    assert.deepEqual(annotations, { ...defaults.ingress.annotations, ...values.ingress.annotations });
  });
});

describe('the upgrade of the chart', () => {
  it('replaces no pod before the new one has been ready for some seconds', () => {
    const { minReadySeconds, strategy } = named('Deployment', 'watchword').spec;
    assert.deepEqual([minReadySeconds, strategy.rollingUpdate.maxUnavailable], [values.minReadySeconds, 0]);
    assert.ok(defaults.minReadySeconds > 0);
  });
});

/** Whether the selector of a policy has a pod with these labels. */
function selects({ podSelector }: Any, labels: Record<string, string>): boolean {
  const { matchLabels = {}, matchExpressions = [] } = podSelector;
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, values: allowed }: Any) => allowed.includes(labels[key]))
  );
}

describe('the network policies of the chart', () => {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy') as Any[];
  const servers = named('NetworkPolicy', 'watchword').spec;

  for (const job of ['watchword-migrate', 'watchword-administrator', 'watchword-apply']) {
    it(`let ${job} reach what the servers reach, and nobody reach it`, () => {
      const manifest = named('Job', job);
      const { labels } = manifest.spec.template.metadata;
      const [policy, ...others] = policies.filter(({ spec }) => selects(spec, labels));
      assert.equal(others.length, 0);
      assert.deepEqual(policy.spec.egress, servers.egress);
      assert.deepEqual([policy.spec.policyTypes, policy.spec.ingress], [['Ingress', 'Egress'], []]);
      // It must exist before the job: other manifests of a release do not exist yet then.
      const of = (one: Any) => one.metadata.annotations;
      for (const event of of(manifest)['helm.sh/hook'].split(',')) {
        assert.ok(of(policy)['helm.sh/hook'].split(',').includes(event), event);
      }
      assert.ok(Number(of(policy)['helm.sh/hook-weight']) < Number(of(manifest)['helm.sh/hook-weight']));
    });
  }

  it('let the pod of helm test reach the servers', () => {
    const { labels } = named('Pod', 'watchword-ready').metadata;
    const [{ from }] = servers.ingress;
    assert.ok(
      from.some((peer: Any) => peer.podSelector && selects({ podSelector: peer.podSelector }, labels)),
    );
  });
});

describe('the first administrator of the chart', () => {
  const manifest = named('Job', 'watchword-administrator');
  const [container] = manifest.spec.template.spec.containers;

  it('is made once, by a command that the server knows, from a secret', async () => {
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    writeFileSync(directory.file('password'), 'correct horse battery\n');
    const database = ['--config', '/etc/watchword/watchword.yaml'];
    assert.deepEqual(container.args.slice(-2), database);
    const args = container.args
      .slice(0, -2)
      .map((arg: string) => (arg.startsWith('/run/') ? directory.file('password') : arg));
    const made = await watchword([...args, '--database', directory.file('x.db'), '--json']);
    assert.equal(made.code, 0, made.stderr);
    const { username, adminPrincipal } = JSON.parse(made.stdout);
    assert.deepEqual([username, adminPrincipal], [values.firstAdministrator.username, true]);
    const again = await watchword([...args, '--database', directory.file('x.db'), '--json']);
    assert.deepEqual(JSON.parse(again.stdout), { username, created: false });
  });

  it('is not made again by an upgrade, when it was deleted', () => {
    assert.equal(manifest.metadata.annotations['helm.sh/hook'], 'post-install');
  });
});

describe('the configuration that the chart applies', () => {
  const manifest = named('Job', 'watchword-apply');
  const [container] = manifest.spec.template.spec.containers;
  const secret = 'env:SECRET_OF_STOCK';
  const configuration = {
    version: 1,
    name: 'cluster',
    resourceServers: [{ key: 'stock', name: 'Stock', contactName: 'Ann', secret, scopes: ['read'] }],
    clients: [
      {
        clientId: 'Stock.Job',
        resourceServer: 'stock',
        clientName: 'Job',
        contactName: 'Ann',
        secret,
        scopes: ['read'],
        allowedClientCredentials: true,
      },
    ],
  };

  it('is the ConfigMap, with the variables of the secret, after the installation and each upgrade', () => {
    assert.equal(manifest.metadata.annotations['helm.sh/hook'], 'post-install,post-upgrade');
    const { volumes } = manifest.spec.template.spec;
    const { name } = volumes.find((each: Any) => each.configMap?.name === values.apply.configMap.name);
    const { mountPath } = container.volumeMounts.find((each: Any) => each.name === name);
    const [{ key, path }] = volumes.find((each: Any) => each.name === name).configMap.items;
    assert.deepEqual([container.args[1], key], [`${mountPath}/${path}`, values.apply.configMap.key]);
    assert.deepEqual(container.envFrom, [{ secretRef: { name: values.apply.secretName } }]);
    assert.equal(defaults.apply.configMap.name, '');
  });

  it('makes clients of a running server, by a command that it can repeat', async () => {
    await using server = await startServer({}, 'sqlite');
    await using directory = await temporaryDirectory();
    writeFileSync(directory.file('clients.yaml'), JSON.stringify(configuration));
    const [command, , ...options] = container.args;
    const settings = options.splice(-2);
    assert.deepEqual(settings, ['--config', '/etc/watchword/watchword.yaml']);
    const given = 'a secret that nobody guesses';
    const apply = () =>
      watchword([command, directory.file('clients.yaml'), ...options, '--database', server.database], {
        env: { SECRET_OF_STOCK: given },
      });
    const applied = await apply();
    assert.equal(applied.code, 0, applied.stderr);
    const body = { grant_type: 'client_credentials', scope: 'read' };
    const { status, text } = await server.post('/oauth2/token', body, `Stock.Job:${given}`);
    assert.equal(status, 200, text);
    assert.match((await apply()).stdout, /nothing to do, 2 records/);
  });
});
