import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { clientFields, resourceServerFields } from '@watchword/protocol';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { clientLabels, resourceServerLabels } from '../src/index.ts';
import type { Paths } from './support/client-functions.ts';
import { functionTypes } from './support/function-types.ts';
import { recordFields } from './support/record-fields.ts';
import { recordTypes, type Schemas } from './support/record-types.ts';

interface Description {
  readonly components: { readonly schemas: Schemas };
  readonly paths: Paths;
}

const source = new URL('../src/', import.meta.url);

describe('the administration client and the OpenAPI description', () => {
  let server: TestServer;
  let description: Description;
  before(async () => {
    server = await startServer();
    description = (await server.get('/admin/openapi.json')).json;
  });
  after(() => server[Symbol.asyncDispose]());

  it('have the same records; after a change: npm run records -w packages/admin-client', (test) => {
    const { Error: _, ...schemas } = description.components.schemas;
    const file = fileURLToPath(new URL('records.ts', source));
    test.assert.fileSnapshot(recordTypes(schemas), file, { serializers: [String] });
  });

  it('have the same functions; after a change: npm run records -w packages/admin-client', (test) => {
    const { components, paths } = description;
    const file = fileURLToPath(new URL('functions.ts', source));
    const functions = functionTypes(paths, recordTypes(components.schemas));
    test.assert.fileSnapshot(functions, file, { serializers: [String] });
  });

  it('have the same defaults and labels; after a change: npm run records -w packages/admin-client', (test) => {
    const tables = { Client: clientFields, ResourceServer: resourceServerFields };
    const file = fileURLToPath(new URL('record-fields.ts', source));
    test.assert.fileSnapshot(recordFields(tables), file, { serializers: [String] });
  });

  it('have a label for each field that a request sets', () => {
    for (const labels of [clientLabels, resourceServerLabels]) {
      for (const [name, label] of Object.entries(labels)) assert.notEqual(label, '', name);
    }
  });
});
