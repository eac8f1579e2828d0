import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { rounds } from '@watchword/testkit';
import { testKey } from '@watchword/testkit/certificate';
import { federationXml, signedMetadata } from '@watchword/testkit/saml-metadata';
import type { LoadedFederation } from '../../../bench/suites/saml/load-federation.ts';

const loader = fileURLToPath(new URL('../../../bench/suites/saml/load-federation.ts', import.meta.url));
const federation = testKey('federation');

const providers = rounds(1000, 5000);

describe('the signed metadata of a federation', () => {
  it('is read and verified in less than 105 MB plus 20 kB for each identity provider, including Node.js', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.file('federation.pem'), federation.certificate);
    await writeFile(directory.file('federation.xml'), signedMetadata(federationXml(providers), federation));
    // `npm run bench -- saml` measures the time. The heap limit leaves no room for garbage.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        ...['--conditions=source', '--max-old-space-size=70', loader],
        ...[directory.file('federation.xml'), directory.file('federation.pem')],
      ],
      { timeout: 50_000 },
    );
    const loaded: LoadedFederation = JSON.parse(stdout);
    assert.equal(loaded.providers, providers);
    // Node.js 26 has 63 MB before anything is read, with what reads TypeScript.
    assert.ok(loaded.megabytes < 105 + providers / 50, `${loaded.megabytes} MB`);
  });
});
