import { files, type Manifest } from '../manifest.ts';
import type { Repository } from '../repository.ts';

export interface Expected {
  /** Of the package. */
  readonly name: string;
  readonly version: string;
  /** Where the package was packed; `undefined` where it is not known. */
  readonly repository: Repository | undefined;
}

/**
 * What is wrong with the package.json of a packed package, and with its list of files.
 *
 * @param packed all files of the package, from its root
 */
export function manifestProblems(
  manifest: Manifest,
  packed: readonly string[],
  expected: Expected,
): string[] {
  return [...fieldProblems(manifest, expected), ...fileProblems(manifest, packed)];
}

function fieldProblems(manifest: Manifest, { name, version, repository }: Expected): string[] {
  const fields: Readonly<Record<string, unknown>> = {
    name,
    version,
    license: 'Apache-2.0',
    type: 'module',
    publishConfig: { access: 'public', provenance: true },
    repository,
  };
  const wrong = Object.entries(fields)
    .filter(([field, value]) => JSON.stringify(manifest[field]) !== JSON.stringify(value))
    .map(
      ([field, value]) =>
        `${field}: expected ${JSON.stringify(value)}, got ${JSON.stringify(manifest[field])}`,
    );
  const { description, engines, dependencies = {} } = manifest as Described;
  if (!/\w/.test(description ?? '')) wrong.push('description: expected a sentence');
  if (!/^>=\d/.test(engines?.node ?? '')) wrong.push('engines.node: expected the oldest Node.js, as >=24');
  for (const [dependency, range] of Object.entries(dependencies)) {
    if (dependency.startsWith('@watchword/') && range !== version)
      wrong.push(`dependencies: expected ${dependency} ${version}, got ${range}`);
  }
  for (const field of ['private', 'scripts', 'devDependencies'])
    if (field in manifest) wrong.push(`${field}: expected nothing, because users cannot use it`);
  if (/"source"|\.\/src\//.test(JSON.stringify(manifest)))
    wrong.push('expected no source file of the checkout');
  return wrong;
}

interface Described {
  readonly description?: string;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** What npm puts into every package. */
const always = new Set(['package.json', 'README.md', 'LICENSE']);

function fileProblems(manifest: Manifest, packed: readonly string[]): string[] {
  const listed = (manifest.files ?? []) as readonly string[];
  const named = [...always, ...files(manifest.exports), ...files(manifest.imports)].map((file) =>
    file.replace(/^\.\//, ''),
  );
  const isIn = (folder: string) => (file: string) => file === folder || file.startsWith(`${folder}/`);
  return [
    ...named.filter((file) => !packed.includes(file)).map((file) => `${file} is not in the package`),
    ...listed.filter((entry) => !packed.some(isIn(entry))).map((entry) => `files: there is no ${entry}`),
    ...packed
      .filter((file) => !always.has(file) && !listed.some((entry) => isIn(entry)(file)))
      .map((file) => `${file} is not of "files"`),
    ...packed
      .filter((file) =>
        /(?:^|\/)(?:test|src|node_modules)\/|\.(?:tsbuildinfo|test\.js)$|(?<!\.d)\.tsx?$/.test(file),
      )
      .map((file) => `${file} is for the checkout only`),
  ];
}
