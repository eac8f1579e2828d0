import { lines, type Snippet, scriptText } from './snippet.ts';

export function tokenInfoByCurl(baseUrl: string, key: string): string {
  return `curl -u ${key}:"$SECRET" -d access_token="$TOKEN" \\
  ${baseUrl}/v1/tokeninfo`;
}

export function resourceServerSnippets(
  baseUrl: string,
  key: string,
  scopes: readonly string[],
): readonly Snippet[] {
  const [scope] = scopes;
  const rule = scope === undefined ? '' : `, { scope: ${scriptText(scope)} }`;
  return [
    {
      label: 'curl',
      lead: 'Ask what a token is worth. The answer says who granted it, for which client and which scopes; 404 means that it is worth nothing here.',
      text: tokenInfoByCurl(baseUrl, key),
    },
    {
      label: '@watchword/resource-server',
      lead: 'In Node.js, Deno, Bun or a Worker: one line protects the API. Answers are remembered for a short while.',
      text: lines(
        'npm install @watchword/resource-server',
        '',
        `export WATCHWORD_TOKENINFO_URL=${baseUrl}/v1/tokeninfo`,
        `export WATCHWORD_TOKENINFO_KEY=${key}`,
        'export WATCHWORD_TOKENINFO_SECRET=…',
        '',
        '// server.js',
        "import { createTokenVerifier } from '@watchword/resource-server';",
        "import { protect } from '@watchword/resource-server/fastify';",
        "import { fastify } from 'fastify';",
        '',
        'const app = fastify();',
        `app.addHook('onRequest', protect(createTokenVerifier()${rule}));`,
        "app.get('/', async (request) => request.tokenInfo.principal.name);",
        'await app.listen({ port: 3000 });',
      ),
    },
    {
      label: 'Introspection',
      lead: 'For gateways and libraries that speak RFC 7662.',
      text: `curl -u ${key}:"$SECRET" -d token="$TOKEN" \\
  ${baseUrl}/oauth2/introspect`,
    },
  ];
}
