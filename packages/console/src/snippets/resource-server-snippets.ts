import { lines, type Snippet, scriptText, secretLine, shellWord } from './snippet.ts';

interface Described {
  readonly key: string;
  readonly scopes: readonly string[];
}

/** @param secret only directly after it was made */
export function resourceServerSnippets(
  baseUrl: string,
  { key, scopes: [scope] }: Described,
  secret?: string,
): readonly Snippet[] {
  const rule = scope === undefined ? '' : `, { scope: ${scriptText(scope)} }`;
  return [
    {
      label: 'curl',
      lead: 'Validate a token. The answer has the resource owner, the client and the scopes of the token; 404 means that the token is not valid here.',
      text: lines(
        ...secretLine('SECRET', secret),
        `curl -u ${key}:"$SECRET" -d access_token="$TOKEN" \\`,
        `  ${baseUrl}/v1/tokeninfo`,
      ),
    },
    {
      label: '@watchword/resource-server',
      lead: 'In Node.js, Deno, Bun or a Worker: one line protects the API. Answers are remembered for a short while.',
      text: lines(
        'npm install @watchword/resource-server',
        '',
        `export WATCHWORD_TOKENINFO_URL=${baseUrl}/v1/tokeninfo`,
        `export WATCHWORD_TOKENINFO_KEY=${key}`,
        `export WATCHWORD_TOKENINFO_SECRET=${secret === undefined ? '…' : shellWord(secret)}`,
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
      text: lines(
        ...secretLine('SECRET', secret),
        `curl -u ${key}:"$SECRET" -d token="$TOKEN" \\`,
        `  ${baseUrl}/oauth2/introspect`,
      ),
    },
  ];
}
