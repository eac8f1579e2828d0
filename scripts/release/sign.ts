// `npm run release:sign -- FILE`: signs the release in artifacts/release with an SSH key. It needs no installed package, so that the key is
// never on a machine on which code of others runs.
import { fileURLToPath } from 'node:url';
import { allowedSigners, releaseFolder, signRelease } from './signatures.ts';

const checkout = fileURLToPath(new URL('../../', import.meta.url));
const [key] = process.argv.slice(2);
try {
  if (key === undefined) throw new Error('expected the file of a key: npm run release:sign -- FILE');
  signRelease(checkout + releaseFolder, key, checkout + allowedSigners);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
