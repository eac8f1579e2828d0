import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenApiDocument } from '../../../packages/administration/src/openapi.ts';
import { composeService } from '../../../packages/server/src/compose.ts';
import { loadConfiguration } from '../../../packages/server/src/config/load.ts';

/** Starts a server with an empty database for a moment, and reads the OpenAPI document that it serves. */
export async function readOpenApiDocument(): Promise<OpenApiDocument> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-docs-'));
  await using resources = new AsyncDisposableStack();
  resources.defer(() => rm(directory, { recursive: true }));
  const { configuration } = await loadConfiguration({
    flags: { host: '127.0.0.1', port: '0', database: join(directory, 'docs.db') },
    environment: {},
    file: undefined,
  });
  const silent = { stream: { write: () => true }, dropped: () => 0, flush: async () => {} };
  const service = await composeService(configuration, silent);
  resources.defer(() => service.close(0));
  await service.start();
  const answer = await fetch(`http://127.0.0.1:${service.port}/admin/openapi.json`);
  return (await answer.json()) as OpenApiDocument;
}
