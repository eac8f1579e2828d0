import { t } from '../texts/texts.ts';
import { lines, type Snippet, scriptText, secretLine, shellWord } from './snippet.ts';

interface Described {
  readonly key: string;
  readonly scopes: readonly string[];
  readonly resources?: readonly string[];
}

/** @param secret only directly after it was made */
export function resourceServerSnippets(
  baseUrl: string,
  { key, scopes: [scope], resources = [] }: Described,
  secret?: string,
): readonly Snippet[] {
  const rule = scope === undefined ? '' : `, { scope: ${scriptText(scope)} }`;
  return [
    {
      label: 'curl',
      lead: t('snippet.validate'),
      text: lines(
        ...secretLine('SECRET', secret),
        `curl -u ${shellWord(key)}:"$SECRET" -d access_token="$TOKEN" \\`,
        `  ${shellWord(`${baseUrl}/v1/tokeninfo`)}`,
      ),
    },
    {
      label: '@watchword/resource-server',
      lead: t('snippet.library'),
      text: lines(
        'npm install @watchword/resource-server',
        '',
        `export WATCHWORD_URL=${shellWord(baseUrl)}`,
        `export WATCHWORD_TOKENINFO_KEY=${shellWord(key)}`,
        `export WATCHWORD_TOKENINFO_SECRET=${shellWord(secret ?? '…')}`,
        ...(resources.length > 0 ? [`export WATCHWORD_RESOURCE=${shellWord(resources.join(' '))}`] : []),
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
      label: t('snippet.introspection.label'),
      lead: t('snippet.introspection.lead'),
      text: lines(
        ...secretLine('SECRET', secret),
        `curl -u ${shellWord(key)}:"$SECRET" -d token="$TOKEN" \\`,
        `  ${shellWord(`${baseUrl}/oauth2/introspect`)}`,
      ),
    },
  ];
}

/** Lines that use a token, which is shown this once. */
export function tokenSnippets(token: string): readonly Snippet[] {
  return [
    {
      label: 'curl',
      lead: t('snippet.token'),
      text: lines(...secretLine('TOKEN', token), 'curl -H "Authorization: Bearer $TOKEN" "$API"'),
    },
  ];
}
