import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { layout } from '../../deploy/image/layout.ts';
import { loadConfiguration } from '../../packages/server/src/config/load.ts';
import {
  type Case,
  cases,
  chart,
  digestLine,
  helmTemplate,
  type Manifest,
  manifestsIn,
  renderedFile,
} from './chart.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(chart, file), 'utf8');
const isValue = new Ajv({ allErrors: true, strict: false }).compile(JSON.parse(read('values.schema.json')));

/** Of the Prometheus operator, not of Kubernetes. */
const foreign = new Set(['ServiceMonitor']);

const rendered = Object.fromEntries(
  cases.map((name) => [name, manifestsIn(readFileSync(renderedFile(name), 'utf8'))]),
);

/**
 * The problems of a manifest by the OpenAPI document of Kubernetes. Its schemas permit unknown fields; the compiler below does
 * not.
 */
async function problemsOf(manifest: Manifest): Promise<string[]> {
  const { apiVersion, kind } = manifest;
  const { [kind]: Model } = await import(`kubernetes-models/${apiVersion}/${kind}`);
  try {
    new Model(manifest).validate();
    return [];
  } catch (error) {
    return [String(error)];
  }
}

/** What the compiler says of manifests as values of the types of Kubernetes. */
async function unknownFieldsOf(manifests: readonly Manifest[]): Promise<string> {
  await using directory = await temporaryDirectory();
  symlinkSync(join(root, 'node_modules'), directory.file('node_modules'), 'junction');
  const lines = manifests.map(({ apiVersion, kind }, index) => {
    return `import type { I${kind} as T${index} } from 'kubernetes-models/${apiVersion}';
export const m${index}: T${index} = ${JSON.stringify(manifests[index], undefined, 1)};`;
  });
  writeFileSync(directory.file('manifests.mts'), lines.join('\n'));
  const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
  const flags = [
    '--noEmit',
    '--strict',
    '--ignoreConfig',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--types',
    '',
  ];
  const compiler = join(tsc, '..', 'bin', 'tsc');
  return spawnSync(process.execPath, [compiler, ...flags, 'manifests.mts'], {
    cwd: directory.path,
    encoding: 'utf8',
  }).stdout;
}

function ofKubernetes(name: Case): Manifest[] {
  return (rendered[name] ?? []).filter(({ kind }) => !foreign.has(kind));
}

function manifest<Kind extends Manifest>(name: Case, kind: string): Kind {
  const found = rendered[name]?.find((candidate) => candidate.kind === kind);
  assert.ok(found, kind);
  return found as Kind;
}

describe('the values of the chart', () => {
  it('follow their schema, the defaults and the sets that are rendered', () => {
    for (const file of ['values.yaml', ...cases.map((name) => `ci/${name}-values.yaml`)]) {
      const values = merged(parse(read('values.yaml')), parse(read(file)));
      assert.ok(isValue(values), `${file}: ${JSON.stringify(isValue.errors)}`);
    }
  });

  for (const [why, value] of Object.entries({
    'with a name that the chart does not know': { replicas: 3 },
    'with a setting that the chart decides on': { settings: { port: 9000 } },
    'with a secret in a value': { settings: { signing: { key: 'x' } } },
    'with a base URL that ends in a slash': { baseUrl: 'https://id.example.com/' },
  })) {
    it(`are refused ${why}`, () => {
      assert.ok(!isValue({ ...parse(read('values.yaml')), ...value }));
    });
  }
});

for (const name of cases) {
  describe(`the manifests of the chart with the values of ${name}`, () => {
    const manifests = rendered[name] ?? [];

    it('are rendered from this chart; after a change of it: node test/deploy/render-chart.ts', () => {
      const [line = ''] = readFileSync(renderedFile(name), 'utf8').split('\n');
      assert.equal(`${line}\n`, digestLine(name));
    });

    it('are what helm renders', (test) => {
      if (spawnSync('helm', ['version']).error !== undefined) return test.skip('helm is not on this machine');
      const now = manifestsIn(execFileSync('helm', helmTemplate(name), { encoding: 'utf8' }));
      const byName = (list: readonly Manifest[]) =>
        Object.fromEntries(list.map((one) => [`${one.kind} ${one.metadata.name}`, one]));
      assert.deepEqual(byName(now), byName(manifests));
      return undefined;
    });

    it('follow the schemas of Kubernetes', async () => {
      const problems = await Promise.all(ofKubernetes(name).map(problemsOf));
      assert.deepEqual(problems.flat(), []);
    });

    it('name secrets and contain none', () => {
      assert.deepEqual(
        manifests.filter(({ kind }) => kind === 'Secret'),
        [],
      );
    });

    it('run every container as the user of the image, without rights and with a read-only root', () => {
      const pods = manifests.flatMap((one) => podOf(one) ?? []);
      assert.equal(pods.length, name === 'full' ? 5 : 3);
      for (const { automountServiceAccountToken, securityContext, containers } of pods) {
        assert.ok(!automountServiceAccountToken);
        assert.ok(securityContext.runAsNonRoot);
        assert.deepEqual([securityContext.runAsUser, securityContext.fsGroup], [layout.user, layout.user]);
        for (const container of containers) {
          assert.ok(container.securityContext.readOnlyRootFilesystem);
          assert.ok(!container.securityContext.allowPrivilegeEscalation);
          assert.deepEqual(container.securityContext.capabilities, { drop: ['ALL'] });
        }
      }
    });

    it('give the server a configuration that it accepts, and ask its probes where it answers', async () => {
      const { data } = manifest<Manifest & { data: Record<string, string> }>(name, 'ConfigMap');
      await using directory = await temporaryDirectory();
      writeFileSync(directory.file('url'), 'postgres://watchword:x@database/watchword');
      const text = (data['watchword.yaml'] ?? '').replace(
        /^(databaseUrlFile:).*/m,
        `$1 ${directory.file('url')}`,
      );
      writeFileSync(directory.file('watchword.yaml'), text);
      const environment = { WATCHWORD_DATABASE: '' };
      const file = directory.file('watchword.yaml');
      const { configuration, warnings } = await loadConfiguration({ flags: {}, environment, file });
      assert.deepEqual(warnings, []);
      const [container] = podOf(manifest(name, 'Deployment'))?.containers ?? [];
      assert.ok(container?.ports && container.readinessProbe && container.livenessProbe);
      assert.deepEqual(
        container.ports.map(({ containerPort }) => containerPort),
        [configuration.port, configuration['metrics.port']],
      );
      assert.equal(configuration.port, layout.port);
      assert.equal(configuration['administration.registration'], 'administrators');
      const prefix = new URL(configuration.baseUrl).pathname.replace(/\/$/, '');
      assert.equal(container.readinessProbe.httpGet.path, `${prefix}/readyz`);
      assert.equal(container.livenessProbe.httpGet.path, `${prefix}/healthz`);
      const mounted = container.volumeMounts.map(({ mountPath }) => mountPath);
      for (const path of [configuration['signing.keyFile'], configuration['metrics.tokenFile']]) {
        assert.ok(path === undefined || mounted.some((mount) => path.startsWith(`${mount}/`)), `${path}`);
      }
    });
  });
}

describe('the manifests of the chart', () => {
  const service = manifest<Manifest & { spec: object }>('default', 'Service');

  it('have no field that Kubernetes does not know: the only error is that of a wrong one beside them', async () => {
    const wrong = { ...service, spec: { ...service.spec, selectors: {} } };
    const errors = await unknownFieldsOf([...cases.flatMap(ofKubernetes), wrong]);
    assert.match(errors, /^[^\n]*"selectors"' does not exist in type 'IServiceSpec'\.\n$/);
  });

  it('would be refused with a value of the wrong kind', async () => {
    const wrong = { ...service, spec: { ports: 'http' } };
    assert.match(String(await problemsOf(wrong)), /ports/);
  });
});

/** As helm merges values: objects member by member. */
function merged(below: Values, above: Values): Values {
  const isObject = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = Object.entries(above).map(([name, value]) => {
    const under = below[name];
    return [name, isObject(value) && isObject(under) ? merged(under, value) : value];
  });
  return { ...below, ...Object.fromEntries(entries) };
}

type Values = Readonly<Record<string, unknown>>;

interface Pod {
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: { runAsNonRoot: boolean; runAsUser: number; fsGroup: number };
  readonly containers: readonly {
    readonly securityContext: {
      readonly readOnlyRootFilesystem: boolean;
      readonly allowPrivilegeEscalation: boolean;
      readonly capabilities: object;
    };
    readonly ports?: readonly { readonly containerPort: number }[];
    readonly readinessProbe?: { readonly httpGet: { readonly path: string } };
    readonly livenessProbe?: { readonly httpGet: { readonly path: string } };
    readonly volumeMounts: readonly { readonly mountPath: string }[];
  }[];
}

function podOf(manifest: Manifest): Pod | undefined {
  const { spec } = manifest as Manifest & { spec?: { template?: { spec: Pod } } & Pod };
  if (manifest.kind === 'Pod') return spec;
  return spec?.template?.spec;
}
