import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testKey } from '@watchword/testkit/certificate';
import { federationXml, signedMetadata } from '@watchword/testkit/saml-metadata';
import type { LoadedFederation } from './saml/load-federation.ts';

const entities = 5000;
const rounds = 3;
const loader = fileURLToPath(new URL('./saml/load-federation.ts', import.meta.url));

/** `npm run bench -- saml`: loads the signed metadata of a federation, each time in a process of its own. */
export async function benchSaml(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  try {
    const federation = testKey('federation');
    const xml = signedMetadata(federationXml(entities), federation);
    const [metadata, certificate] = [join(directory, 'federation.xml'), join(directory, 'federation.pem')];
    await writeFile(metadata, xml);
    await writeFile(certificate, federation.certificate);
    console.log(`${entities} identity providers, ${(xml.length / 1e6).toFixed(1)} MB, signed`);
    for (let round = 0; round < rounds; round += 1) {
      const args = ['--conditions=source', loader, metadata, certificate];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      const { seconds, searchMilliseconds, megabytes, providers }: LoadedFederation = JSON.parse(stdout);
      console.log(
        `loaded ${providers} in ${seconds.toFixed(2)} s, at most ${megabytes.toFixed(0)} MB of memory in all; ` +
          `the first search ${searchMilliseconds[0]?.toFixed(0)} ms, the next ones ${searchMilliseconds[1]?.toFixed(1)} ms`,
      );
    }
  } finally {
    await rm(directory, { recursive: true });
  }
}
