// `npm run release`: checks the checkout, builds and packs every public package, installs the packages as a user does, and puts them with
// notes, digests, a list of contents and signatures into artifacts/release. It publishes nothing. `-- --help` lists the options.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packPackages, publicPackages } from '../public-packages.ts';
import { repository } from '../repository.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { entryOf } from './changelog.ts';
import { bundledDependencies, installedDependencies, licenceProblems } from './licences.ts';
import { currentVersion } from './plan-version.ts';
import { readinessProblems } from './readiness.ts';
import { writeReleaseFiles } from './release-files.ts';
import { allowedSigners, releaseFolder, signRelease } from './signatures.ts';
import { tarballProblems } from './tarball-problems.ts';

const help = `Usage: npm run release -- [options]

  --key FILE       sign with this SSH key, which deploy/allowed_signers must have
  --audit          also ask the registry for known vulnerabilities, and refuse those of high severity
  --without-tests  do not run npm test: it has passed on this commit
  --dry-run        say what would be done, and change nothing
`;
const { values: asked } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    key: { type: 'string' },
    audit: { type: 'boolean', default: false },
    'without-tests': { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
  },
});
const checkout = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(checkout, releaseFolder);
const sbom = join(checkout, 'artifacts', 'installed.cdx.json');
const names = publicPackages(checkout);
const version = currentVersion(checkout);
const read = (file: string) => readFileSync(join(checkout, file), 'utf8');

/** Each step, with what it does. */
const steps: readonly (readonly [string, () => unknown])[] = [
  [
    'check that the tree is clean, and has a changelog entry and no pending changeset',
    () => refuse(notReady()),
  ],
  asked['without-tests']
    ? ['lint, types', () => npm(['run', 'check'])]
    : ['lint, types, tests', () => npm(['test'])],
  ...(asked.audit
    ? [
        [
          'ask the registry for known vulnerabilities of high severity',
          () => npm(['audit', '--omit', 'dev', '--audit-level', 'high']),
        ] as const,
      ]
    : []),
  [`build and pack ${names.map((name) => `@watchword/${name}`).join(', ')}`, pack],
  // The build before it has written what the GUI contains.
  ['check the licences of everything that users get', () => refuse(licenceProblems(contents()))],
  ['check what was packed: contents, fields, publint, attw', async () => refuse(await packedProblems())],
  ['install from the registry in an empty folder, load each package, get a token', install],
  [`write notes, list of contents and digests${asked.key === undefined ? '' : ', and sign them'}`, write],
];

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  if (asked.help) return console.log(help);
  for (const [index, [what, run]] of steps.entries()) {
    console.log(`${version}, step ${index + 1} of ${steps.length}: ${what}`);
    if (!asked['dry-run']) await run();
  }
  if (!asked['dry-run'])
    return console.log(`${folder} has the release${asked.key ? '' : ', without signatures (--key)'}.`);
  const problems = notReady();
  console.log(
    problems.length > 0
      ? `\nNot ready:\n${problems.join('\n')}`
      : `\n${entryOf(read('CHANGELOG.md'), version)}`,
  );
}

function notReady(): string[] {
  return readinessProblems(checkout, { version, key: asked.key, env: process.env });
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function npm(args: readonly string[]): void {
  execFileSync('npm', args, { cwd: checkout, stdio: 'inherit' });
}

function bundled() {
  return bundledDependencies(read('packages/console/dist/licenses.md'));
}

function contents() {
  return [...installedDependencies(checkout), ...bundled()];
}

async function pack(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await packPackages(checkout, names, { destination: folder });
}

async function packedProblems(): Promise<string[]> {
  const problems = await Promise.all(
    names.map(async (name) => {
      const data = new Uint8Array(readFileSync(join(folder, `watchword-${name}-${version}.tgz`)));
      const home = repository(process.env, `packages/${name}`);
      const expected = { name: `@watchword/${name}`, version, repository: home };
      return (await tarballProblems(data, read('LICENSE'), expected)).map((problem) => `${name}: ${problem}`);
    }),
  );
  return problems.flat();
}

function install(): void {
  npm(['run', '--silent', 'check:packages', '--', '--tarballs', folder, '--sbom', sbom]);
}

function write(): void {
  const notes = entryOf(read('CHANGELOG.md'), version);
  const bill = billOfMaterials(readFileSync(sbom, 'utf8'), version, bundled());
  writeReleaseFiles({ folder, version, notes, bill });
  if (asked.key !== undefined) signRelease(folder, asked.key, join(checkout, allowedSigners));
}
