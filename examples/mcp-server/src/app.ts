import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { requireScope, type TokenVerifier } from '@watchword/resource-server';
import { protect } from '@watchword/resource-server/express';
import type { Express } from 'express';
import { createMcpServer, isWriting } from './mcp-server.ts';
import { createNotes } from './notes.ts';

/** @param verifier with the option `resource`: clients read the metadata that name it, and find the authorization server */
export function createApp(verifier: TokenVerifier): Express {
  const notes = createNotes();
  // Reads JSON, and refuses other names than those of loopback (DNS rebinding).
  const app = createMcpExpressApp();
  app.use(protect(verifier, { scope: 'notes:read', realm: 'notes' }));

  // Step-up: who has only read until now is asked for more by the answer 403, and only then.
  const writing = protect(verifier, { scope: 'notes:write' });
  app.use('/mcp', (request, response, next) => {
    if (isWriting(request.body)) writing(request, response, next);
    else next();
  });

  app.post('/mcp', async (request, response) => {
    const server = createMcpServer(notes, requireScope(request.tokenInfo, 'notes:read'));
    // Null and not undefined: the transport would read a body that Express has not read, past the check above.
    await answerBy(server, request, response, request.body ?? null);
  });
  app.all('/mcp', (_request, response) => void response.status(405).set('allow', 'POST').end());
  return app;
}

/** Without a session: each request brings its token, so nobody can go on with what another one began. */
async function answerBy(
  server: McpServer,
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
): Promise<void> {
  const transport = new StreamableHTTPServerTransport();
  response.on('close', () => void server.close());
  await server.connect(transport as Transport);
  await transport.handleRequest(request, response, body);
}
