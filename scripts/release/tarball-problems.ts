import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import type { Manifest } from '../manifest.ts';
import { type Expected, manifestProblems } from './manifest-problems.ts';

/**
 * What is wrong with a packed package, by the rules of this project, by publint, and by attw, which resolves its types as compilers do.
 *
 * @param tarball as npm packs it
 * @param license the text of LICENSE
 */
export async function tarballProblems(
  tarball: Uint8Array<ArrayBuffer>,
  license: string,
  expected: Expected,
): Promise<string[]> {
  const contents = createPackageFromTarballData(tarball);
  const prefix = `/node_modules/${contents.packageName}/`;
  const read = (file: string) => contents.tryReadFile(`${prefix}${file}`);
  const manifest: Manifest = JSON.parse(read('package.json') ?? '{}');
  const packed = contents.listFiles().map((file) => file.slice(prefix.length));
  const own = manifestProblems(manifest, packed, expected);
  if (read('LICENSE') !== license) own.push('LICENSE: expected the licence of the checkout');
  const { messages } = await publint({ pack: { tarball: tarball.slice().buffer }, strict: true });
  const analysis = await checkPackage(contents);
  // A package of files for browsers has no types, and needs none.
  const types = analysis.types ? analysis.problems : [];
  if (!analysis.types && contents.containsTypes()) own.push('the types of the package cannot be found');
  return [
    ...own,
    ...messages.map((message) => `publint: ${JSON.stringify(message)}`),
    ...types.map((problem) => `attw: ${JSON.stringify(problem)}`),
  ];
}
