import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startDocumentSite } from '@watchword/server-testkit/clients/document-site';
import { askWithMadeUpClients } from '@watchword/server-testkit/clients/made-up-clients';
import { startServer } from '@watchword/server-testkit/servers/server';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function memory(): number {
  for (let round = 0; round < 3; round += 1) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('10,000 made-up clients', () => {
  it('leave every table as it was, and take less than 10 MB of memory', async () => {
    await using site = await startDocumentSite();
    const hosts = 'localhost,*.invalid,127.0.0.1';
    await using server = await startServer({
      ...{ ...site.settings, 'clients.metadataDocuments': hosts },
      // The log stays in the memory of a test.
      'log.level': 'error',
      trustedProxies: '127.0.0.1',
    });
    // What a server needs once, whoever asks.
    await askWithMadeUpClients(server, site, 400);
    site.forget();
    const before = memory();
    await askWithMadeUpClients(server, site, 10_000);
    site.forget();
    const grown = memory() - before;
    assert.ok(grown < 10_000_000, `expected less than 10 MB, got ${(grown / 1e6).toFixed(1)} MB`);
  });
});
