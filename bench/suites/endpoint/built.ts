import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from '../../../scripts/bundle.ts';
import { temporaryDirectory } from '../../contestants/temporary.ts';

type Builder = typeof import('@watchword/endpoint');

/** The function as programs get it: out of one file, as that of `@octokit/endpoint` is. Out of 30 sources it is slower. */
export async function builtEndpoint(): Promise<Builder['endpoint']> {
  await using resources = new AsyncDisposableStack();
  const directory = await temporaryDirectory(resources);
  const source = fileURLToPath(import.meta.resolve('@watchword/endpoint'));
  const home = join(dirname(source), '..');
  await bundle({ input: { index: source }, directory, home, isExternal: () => false });
  const { endpoint }: Builder = await import(pathToFileURL(join(directory, 'index.js')).href);
  return endpoint;
}
