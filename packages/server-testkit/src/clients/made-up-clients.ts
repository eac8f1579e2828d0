import assert from 'node:assert/strict';
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { mock } from 'node:test';
import type { TestServer } from '../servers/server.ts';
import { pkce } from './application.ts';
import type { DocumentSite } from './document-site.ts';

/** The number of rows of each table of a database in a file. */
export function rowCounts(file: string): Readonly<Record<string, number>> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    // The rest is work of the server itself.
    const tables = database
      .prepare("select name from sqlite_schema where type = 'table' and name not in ('lease', 'signing_key')")
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => {
        const row = database.prepare(`select count(*) as rows from "${name}"`).get();
        return [String(name), Number(row?.rows)];
      }),
    );
  } finally {
    database.close();
  }
}

/**
 * Asks for authorization with made-up URLs as client_id, from many addresses: documents that lie, that are missing, and good ones to which
 * nobody consents. Then every table has as many rows as before.
 *
 * @param server one that trusts the addresses that this machine names
 */
export async function askWithMadeUpClients(
  server: TestServer,
  site: DocumentSite,
  count: number,
): Promise<void> {
  site.answer('/flood', (request, response) => {
    const url = `https://${site.host}${request.url}`;
    const client_id = request.url?.endsWith('0') ? url : 'https://another.example/';
    response
      .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=86400' })
      .end(JSON.stringify({ client_id, redirect_uris: ['https://tool.example/cb'] }));
  });
  using _unresolved = withoutInvalid();
  const before = rowCounts(server.database);
  const statuses = new Set<number>();
  const atOnce = 20;
  for (let index = 0; index < count; index += atOnce) {
    const urls = Array.from({ length: atOnce }, (_, at) => madeUp(site, index + at));
    const answers = await Promise.all(
      urls.map((clientId, at) => {
        const query = new URLSearchParams({
          ...{ response_type: 'code', client_id: clientId, redirect_uri: 'https://tool.example/cb' },
          ...{ state: 's', scope: 'openid', ...pkce },
        });
        const from = `198.51.${(index >> 8) % 256}.${(index + at) % 256}`;
        return fetch(`${server.baseUrl}/authorize?${query}`, {
          headers: { 'x-forwarded-for': from },
          redirect: 'manual',
        });
      }),
    );
    for (const answer of answers) {
      statuses.add(answer.status);
      await answer.arrayBuffer();
    }
  }
  assert.ok(
    statuses.has(400) && [...statuses].every((status) => [200, 400, 429].includes(status)),
    `${[...statuses]}`,
  );
  assert.deepEqual(rowCounts(server.database), before);
}

/** No name below `invalid` resolves (RFC 6761 §6.4). Asking the resolver of the machine for each can take five seconds. */
function withoutInvalid(): Disposable {
  const { lookup } = dns;
  const mocked = mock.method(dns, 'lookup', (host: string, options: object) =>
    host.endsWith('.invalid')
      ? Promise.reject(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }))
      : lookup(host, options),
  );
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]() {
      mocked.mock.restore();
      syncBuiltinESMExports();
    },
  };
}

function madeUp({ host }: DocumentSite, index: number): string {
  const { port } = new URL(`https://${host}`);
  return [
    `https://${host}/flood?${index}`,
    `https://host${index}.invalid/client.json`,
    `https://10.${index >> 16}.${(index >> 8) % 256}.${index % 256}/client.json`,
    `https://127.0.0.1:${port}/${index}/../client.json`,
  ][index % 4] as string;
}
