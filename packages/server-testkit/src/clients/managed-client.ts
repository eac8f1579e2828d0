import assert from 'node:assert/strict';
import { watchword } from '../processes/process.ts';
import { demoResourceServer, type TestServer } from '../servers/server.ts';
import { redirectUri } from './application.ts';

/** Applies a configuration with one client, Managed. */
export async function applyConfiguration({ database }: TestServer): Promise<void> {
  const [resourceServer] = demoResourceServer.split(':');
  const names = { clientId: 'Managed', clientName: 'Managed', contactName: 'Ann' };
  const client = {
    ...names,
    resourceServer,
    confidential: false,
    scopes: ['read'],
    redirectUris: [redirectUri],
  };
  const stdin = JSON.stringify({ version: 1, name: 'shop', clients: [client] });
  const { code, stderr } = await watchword(['apply', '-', '--database', database], { stdin });
  assert.equal(code, 0, stderr);
}

/** Changes it as a node of an older release does, which knows no configurations. */
export async function driftFromConfiguration({ service: { store } }: TestServer): Promise<void> {
  const managed = await store.clients.find('Managed');
  assert.ok(managed, 'the client Managed');
  await store.clients.update(managed.id, { description: 'x' });
}
