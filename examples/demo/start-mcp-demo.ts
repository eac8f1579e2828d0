import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { createTokenVerifier } from '@watchword/resource-server';
import { createApp } from '../mcp-server/src/app.ts';
import { connect } from '../mcp-server/src/client.ts';
import { Login } from '../mcp-server/src/login.ts';
import { closeServer, listen, together } from './listening.ts';
import type { DemoOptions, Running } from './run.ts';
import { serveWatchword, type Watchword, watchwordOn } from './watchword.ts';

export interface McpDemo extends Running {
  readonly mcpUrl: string;
  readonly watchwordUrl: string;
}

/** Starts Watchword, the MCP server two ports on, and the client, to whose port after that the browser comes back. */
export function startMcpDemo({ port, database, bin }: DemoOptions): Promise<McpDemo> {
  return together(async (stopping) => {
    const directory = dirname(database);
    await mkdir(directory, { recursive: true });

    const server = createServer();
    stopping(() => closeServer(server));
    const mcpUrl = `${await listen(server, port === 0 ? 0 : port + 2)}/mcp`;
    const login = await Login.start({ clientId, port: port === 0 ? 0 : port + 3, show });
    stopping(() => login[Symbol.asyncDispose]());
    const { key, secret } = await register(watchwordOn(bin, database), mcpUrl, login.redirectUrl);

    const watchword = await serveWatchword(bin, database, port, join(directory, 'demo.log'));
    stopping(watchword.stop);
    const verifier = createTokenVerifier({
      url: watchword.baseUrl,
      key,
      secret,
      resource: mcpUrl,
      resourceMetadata: { resource_name: 'Notes', scopes_supported: scopes },
      cache: { ttl: 2000 },
    });
    stopping(async () => verifier.close());
    server.on('request', createApp(verifier));

    actForUser(new URL(mcpUrl), login).catch((error: unknown) => console.error('The client:', error));
    return { mcpUrl, watchwordUrl: watchword.baseUrl, ended: watchword.ended };
  });
}

const scopes = ['notes:read', 'notes:write'];
const apiKey = 'notes-mcp';
const clientId = 'notes-mcp-client';

/** Registers the MCP server, which every client may use, and the client of this demo; what is there already stays. */
async function register(
  watchword: Watchword,
  resource: string,
  redirectUri: string,
): Promise<{ readonly key: string; readonly secret: string }> {
  await watchword('migrate');
  const contact = ['--contact-name', 'Demo'];
  const names = scopes.flatMap((scope) => ['--scope', scope]);
  const api = ['--resource', resource, '--open-to-clients', 'everyone', ...names, ...opened()];
  const what = ['notes:read=See your notes', 'notes:write=Add and remove notes'];
  const described = what.flatMap((description) => ['--scope-description', description]);
  await watchword(
    'resource-server',
    'create',
    '--key',
    apiKey,
    '--name',
    'Notes',
    ...api,
    ...contact,
    '--if-missing',
  );
  await watchword('resource-server', 'update', apiKey, ...api, ...described);
  const client = ['--redirect-uri', redirectUri, ...names, '--public', '--use-refresh-tokens'];
  await watchword(
    ...['client', 'create', '--client-id', clientId, '--name', 'Notes client', '--resource-server', apiKey],
    ...[...client, ...contact, '--if-missing'],
  );
  await watchword('client', 'update', clientId, '--redirect-uri', redirectUri);
  return watchword('resource-server', 'rotate-secret', apiKey);
}

function opened(): string[] {
  return scopes.flatMap((scope) => ['--open-scope', scope]);
}

function show(url: URL): void {
  console.log(
    `The client needs you. Open this page, sign in under any name, and allow what it asks:\n\n  ${url}\n`,
  );
}

/** What an assistant would do: it reads first, and asks for more when it wants to write. */
async function actForUser(url: URL, login: Login): Promise<void> {
  await using client = await connect(url, login);
  console.log(`The client can use the tools ${(await client.tools()).join(', ')}.`);
  const say = async (tool: string, args?: Record<string, unknown>) =>
    console.log(`${tool}: ${await client.call(tool, args)}\n`);
  await say('list_notes');
  await say('add_note', { text: 'Try the step-up' });
  await say('list_notes');
  console.log('That was all. Ctrl-C ends everything.');
}
