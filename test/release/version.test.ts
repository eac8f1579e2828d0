import assert from 'node:assert/strict';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { formerSettings } from '../../packages/server/src/config/former-settings.ts';
import { entryOf, withRelease } from '../../scripts/release/changelog.ts';
import { parseChange, readChanges } from '../../scripts/release/changes.ts';
import { workspaceManifests } from '../../scripts/release/next-manifests.ts';
import { planVersion, repeatingVersion } from '../../scripts/release/plan-version.ts';
import { sections } from '../../scripts/release/sections.ts';
import { withNotes } from '../../scripts/release/upgrade-notes.ts';
import { blocks } from '../support/markdown.ts';
import { recipes } from '../support/recipes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const note = 'What changes: a\n\nWhat to do: b\n\nHow to check: c';
const changeset = (body: string, type = 'minor') => `---\n"@watchword/server": ${type}\n---\n\n${body}\n`;
const release = (...bodies: readonly string[]) => ({
  version: '1.1.0',
  date: '2027-01-31',
  changes: bodies.map((body) => {
    const change = parseChange('x', changeset(body));
    return 'problems' in change ? assert.fail(change.problems.join()) : change;
  }),
});

describe('a changeset', () => {
  for (const [what, text, problem] of [
    ['without a heading', changeset('A text.'), /expected a heading before "A text\."/],
    ['with an unknown heading', changeset('### New\n\n- a'), /expected a heading of .*, got "New"/],
    ['without a list', changeset('### Added\n\nA text.'), /expected a list under "Added"/],
    ['without a text', changeset(''), /expected a heading of/],
    ['without a package', '---\n---\n\n### Added\n\n- a\n', /expected a package/],
    ['of a major version without a note', changeset('### Added\n\n- a', 'major'), /Operators must act/],
    ['that removes something without a note', changeset('### Removed\n\n- a'), /Operators must act/],
    ...['What changes', 'What to do', 'How to check'].map((part) => {
      const incomplete = note.replace(part, 'Also');
      const text = changeset(`### Added\n\n- a\n\n### Operators must act\n\n${incomplete}`);
      return [
        `with a note that does not say "${part}"`,
        text,
        /What changes:, What to do:, How to check:/,
      ] as const;
    }),
  ] as const) {
    it(`is refused ${what}`, () => {
      const parsed = parseChange('x', text);
      assert.match('problems' in parsed ? parsed.problems.join('\n') : '', problem);
    });
  }

  it('of the recipe can be released', () => {
    const shown = blocks('md', recipes.get('Describe a change') ?? '').join('\n');
    const parsed = parseChange('x', shown);
    assert.deepEqual('problems' in parsed ? parsed.problems : Object.keys(parsed.lines), ['Added']);
    assert.match(('note' in parsed && parsed.note) || '', /^What changes: /);
  });

  it('of this checkout can be released', () => {
    for (const { lines, note: found } of readChanges(root))
      assert.ok(Object.keys({ ...lines, found }).length > 0);
  });
});

describe('the changelog of a release', () => {
  const changelog =
    '# Changelog\n\nLead.\n\n## [Unreleased]\n\n### Added\n\n- a\n\n### Fixed\n\n- b\n\n## [1.0.0] - 2027-01-01\n\n- old\n';

  it('has what was unreleased and the lines of all changesets, by kind, above the release before', () => {
    const changed = withRelease(
      changelog,
      release('### Fixed\n\n- d', '### Added\n\n- c\n\n### Security\n\n- e'),
    );
    const entry =
      '## [1.1.0] - 2027-01-31\n\n### Added\n\n- a\n- c\n\n### Fixed\n\n- b\n- d\n\n### Security\n\n- e\n';
    assert.equal(
      changed,
      `# Changelog\n\nLead.\n\n## [Unreleased]\n\n${entry}\n## [1.0.0] - 2027-01-01\n\n- old\n`,
    );
    assert.equal(entryOf(changed, '1.1.0'), entry);
  });

  it('is the only place of a change that was released: once there is a release, "Unreleased" is empty', () => {
    const [, unreleased, ...released] = sections(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), 2);
    assert.equal(unreleased?.title, '[Unreleased]');
    assert.ok(
      released.length === 0 || unreleased.text === '',
      'describe the change in a changeset (docs/recipes/change.md)',
    );
  });

  it('leads operators to their note, if there is one', () => {
    const changed = withRelease(changelog, release(`### Added\n\n- c\n\n### Operators must act\n\n${note}`));
    assert.match(
      entryOf(changed, '1.1.0'),
      /\n\nOperators must act: \[upgrade notes\]\(docs\/upgrading\.md#110\)\.\n\n### Added/,
    );
    assert.doesNotMatch(changed, /What to do/);
  });

  it('is refused for a version that it has, a kind that it does not know, and a version that it does not have', () => {
    const again = { ...release('### Added\n\n- c'), version: '1.0.0' };
    assert.throws(() => withRelease(changelog, again), /has 1\.0\.0 already/);
    const strange = changelog.replace('### Fixed', '### Repaired');
    assert.throws(() => withRelease(strange, release('### Added\n\n- c')), /got "Repaired"/);
    assert.throws(() => entryOf(changelog, '1.1.0'), /expected "## \[1\.1\.0\] - DATE"/);
  });
});

describe('the upgrade notes of a release', () => {
  const upgrading = '# Upgrading\n\n## Notes\n\nLead.\n\n### 1.0.0\n\nold\n';

  it('are the first ones under "Notes"', () => {
    const changed = withNotes(upgrading, release(`### Added\n\n- c\n\n### Operators must act\n\n${note}`));
    assert.equal(changed, `# Upgrading\n\n## Notes\n\nLead.\n\n### 1.1.0\n\n${note}\n\n### 1.0.0\n\nold\n`);
  });

  it('have links that begin in docs, where the guide is', () => {
    const linked = note.replace('b', '[b](docs/guides/b.md), [c](deploy/c.md), [d](https://example.com/d)');
    const changed = withNotes(upgrading, release(`### Added\n\n- c\n\n### Operators must act\n\n${linked}`));
    assert.match(
      changed,
      /\[b\]\(guides\/b\.md\), \[c\]\(\.\.\/deploy\/c\.md\), \[d\]\(https:\/\/example\.com\/d\)/,
    );
  });

  it('are not changed by a release in which operators need not act', () => {
    assert.equal(withNotes(upgrading, release('### Added\n\n- c')), upgrading);
  });
});

describe('the next version', () => {
  it('is the same in every package, dependency and file that repeats it, and uses the changesets up', async () => {
    await using copy = await temporaryDirectory();
    const manifests = workspaceManifests(root);
    const repeating = globSync(repeatingVersion, { cwd: root });
    const others = ['.changeset/config.json', 'package-lock.json', 'CHANGELOG.md', 'docs/upgrading.md'];
    for (const file of [...manifests, ...repeating, ...others])
      cpSync(join(root, file), copy.file(file), { recursive: true });
    writeFileSync(copy.file('.changeset/one.md'), changeset('### Fixed\n\n- c', 'patch'));
    writeFileSync(
      copy.file('.changeset/two.md'),
      changeset(`### Removed\n\n- d\n\n### Operators must act\n\n${note}`),
    );
    const before: string = JSON.parse(
      readFileSync(copy.file('packages/server/package.json'), 'utf8'),
    ).version;
    const { version, files, removed } = planVersion(copy.path, '2027-01-31');
    const [major, minor] = before.split('.').map(Number);
    assert.equal(version, `${major}.${Number(minor) + 1}.0`);
    assert.deepEqual(removed, ['.changeset/one.md', '.changeset/two.md']);

    const packages = manifests.map((file) => JSON.parse(files.get(file) ?? '{}'));
    assert.deepEqual([...new Set(packages.map((manifest) => manifest.version))], [version]);
    const ranges = packages.flatMap((manifest) =>
      Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }),
    );
    const own = ranges.filter(([name]) => name.startsWith('@watchword/')).map(([, range]) => range);
    assert.deepEqual([...new Set(own)], [version]);

    for (const pattern of repeatingVersion) {
      const changed = globSync(pattern, { cwd: root }).filter((file) => files.has(file));
      assert.ok(changed.length > 0, `${pattern} does not repeat the version any more`);
      for (const file of changed)
        assert.ok(files.get(file)?.includes(version) && !files.get(file)?.includes(before), file);
    }
    const lock = JSON.parse(files.get('package-lock.json') ?? '');
    for (const [index, file] of manifests.entries()) {
      const { version: locked, dependencies } = lock.packages[dirname(file)];
      assert.deepEqual([locked, dependencies], [version, packages[index].dependencies], file);
    }
    assert.ok(files.get('CHANGELOG.md')?.includes(`## [${version}] - 2027-01-31`));
    assert.ok(files.get('docs/upgrading.md')?.includes(`### ${version}\n\n${note}`));
  });

  it('is 0.2.0 for the first release, whose notes have each setting that is gone', () => {
    const read = (file: string) => readFileSync(join(root, file), 'utf8');
    const next = readChanges(root).length > 0 ? planVersion(root, '2027-01-31') : undefined;
    const released = sections(read('CHANGELOG.md'), 2).flatMap(
      ({ title }) => /^\[(\d.*)\] - /.exec(title)?.[1] ?? [],
    );
    if (released.length === 0) assert.equal(next?.version, '0.2.0');
    const guide = next?.files.get('docs/upgrading.md') ?? read('docs/upgrading.md');
    for (const [path, { since }] of Object.entries(formerSettings)) {
      const note = sections(guide, 3).find(({ title }) => title === since);
      assert.ok(note?.text.includes(`\`${path}\``), `expected a note for ${path} under ${since}`);
    }
  });

  it('needs a changeset', async () => {
    await using copy = await temporaryDirectory();
    assert.throws(() => planVersion(copy.path, '2027-01-31'), /no change to release/);
  });
});
