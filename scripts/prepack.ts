import { copyFileSync, existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { files, type Manifest, publishedManifest, readManifest, writeManifest } from './manifest.ts';
import { restoreAfterNpm, restoreInterrupted, unpackedManifest } from './postpack.ts';
import { repository } from './repository.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const license = `${checkout}LICENSE`;

// What npm runs before it packs the package in the working directory, once that is built. It puts the licence beside it,
// and takes out of package.json what only the checkout has. `postpack.ts` undoes it.
restoreInterrupted();
refuseMissingDestination(process.env);
const manifest = readManifest();
const home = repository(process.env, relative(checkout, process.cwd()).replaceAll('\\', '/'));
const packed = publishedManifest(manifest, home);
refuseMissingFiles(packed);
restoreAfterNpm();
copyFileSync('package.json', unpackedManifest);
copyFileSync(license, 'LICENSE');
writeManifest(packed);

/** npm fails without it too, but only later, and then leaves the published package.json in the checkout. */
function refuseMissingDestination({
  npm_config_pack_destination: destination,
  INIT_CWD: start,
}: NodeJS.ProcessEnv): void {
  if (destination === undefined || existsSync(resolve(start ?? '.', destination))) return;
  throw new Error(`--pack-destination names a folder that does not exist: ${destination}. Make it first.`);
}

/** Better no package than one that installs and then lacks what it names. */
function refuseMissingFiles({ exports, imports }: Manifest): void {
  const missing = [...files(exports), ...files(imports)].filter((file) => !existsSync(file));
  if (missing.length > 0)
    throw new Error(`${manifest.name} was not built: ${missing.join(', ')} is not there`);
}
