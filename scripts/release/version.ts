// `npm run release:version`: turns the changesets into the next version, in the working tree. `-- --dry-run` only shows it.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { entryOf } from './changelog.ts';
import { planVersion, type VersionPlan } from './plan-version.ts';
import { sections } from './sections.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });

try {
  const plan = planVersion(checkout, new Date().toISOString().slice(0, 10));
  show(plan);
  if (!values['dry-run']) write(plan);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function show({ version, files, removed }: VersionPlan): void {
  const note = sections(files.get('docs/upgrading.md') ?? '', 3).find(({ title }) => title === version);
  console.log(entryOf(files.get('CHANGELOG.md') ?? '', version));
  console.log(note === undefined ? 'Operators need not act.' : `Note in docs/upgrading.md:\n\n${note.text}`);
  console.log(
    `\n${version} changes ${[...files.keys()].sort().join(', ')}, and removes ${removed.join(', ')}.`,
  );
}

function write({ version, files, removed }: VersionPlan): void {
  for (const [file, text] of files) writeFileSync(join(checkout, file), text);
  for (const file of removed) rmSync(join(checkout, file));
  // The rendered manifests name the digest of the chart.
  execFileSync(process.execPath, ['test/deploy/render-chart.ts', '--digests'], { cwd: checkout });
  console.log(`Read the changes, commit them as "Release ${version}", and then run: npm run release`);
}
