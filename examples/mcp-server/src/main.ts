import { createTokenVerifier, optionsFromEnvironment } from '@watchword/resource-server';
import { createApp } from './app.ts';

const { PORT = '8082' } = process.env;

// WATCHWORD_RESOURCE is the URL of this server, as clients know it.
const verifier = createTokenVerifier({
  ...optionsFromEnvironment(),
  resourceMetadata: { resource_name: 'Notes', scopes_supported: ['notes:read', 'notes:write'] },
});

const server = createApp(verifier).listen(Number(PORT), '127.0.0.1', () => {
  console.log(`The MCP server listens on ${verifier.resources[0]?.uri}`);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    verifier.close();
  });
}
