import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenApiDocument } from '../../../packages/administration/src/openapi.ts';
import { composeService } from '../../../packages/server/src/compose.ts';
import { loadConfiguration } from '../../../packages/server/src/config/load.ts';
import type { Endpoint } from '../../../packages/server/src/http/endpoint.ts';

/** What a server says of itself. */
export interface DescribedServer {
  readonly openApi: OpenApiDocument;
  readonly endpoints: readonly Endpoint[];
}

/** Starts a server with an empty database for a moment, and all that settings switch on, and reads what it serves. */
export async function describedServer(): Promise<DescribedServer> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-docs-'));
  await using resources = new AsyncDisposableStack();
  resources.defer(() => rm(directory, { recursive: true }));
  const { configuration } = await loadConfiguration({
    flags: {
      host: '127.0.0.1',
      port: '0',
      database: join(directory, 'docs.db'),
      authenticator: 'password',
      'securityTxt.contact': 'mailto:security@example.com',
    },
    environment: {},
    file: undefined,
  });
  const silent = { stream: { write: () => true }, dropped: () => 0, flush: async () => {} };
  const service = await composeService(configuration, silent);
  resources.defer(() => service.close(0));
  await service.start();
  const answer = await fetch(`http://127.0.0.1:${service.port}/admin/openapi.json`);
  return { openApi: (await answer.json()) as OpenApiDocument, endpoints: service.endpoints };
}
