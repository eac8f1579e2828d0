import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Login } from './login.ts';

export interface NotesClient extends AsyncDisposable {
  /** Names of the tools. */
  tools(): Promise<string[]>;
  /** Calls a tool. If it needs more than the user has allowed until now, the user is asked. */
  call(tool: string, args?: Record<string, unknown>): Promise<string>;
}

/** Connects to an MCP server, and lets the user log in if that is needed. */
export async function connect(url: URL, login: Login): Promise<NotesClient> {
  const fetchWatching: FetchLike = async (address, init) => {
    const answer = await fetch(address, init);
    if (answer.status === 403) login.forgetRefreshToken();
    return answer;
  };
  const open = () => new StreamableHTTPClientTransport(url, { authProvider: login, fetch: fetchWatching });
  const client = new Client({ name: 'notes-client', version: '0.1.0' });
  let transport = open();

  /** The SDK has shown the user where to log in; with the code it goes on. */
  const loggingIn = async <Answer>(work: () => Promise<Answer>, again = work): Promise<Answer> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      await transport.finishAuth(await login.code());
      return again();
    }
  };
  const start = () => client.connect(transport as Transport);
  await loggingIn(start, () => {
    // One starts only once.
    transport = open();
    return start();
  });

  return {
    async tools() {
      const { tools } = await loggingIn(() => client.listTools());
      return tools.map(({ name }) => name);
    },
    async call(name, args = {}) {
      const { content } = await loggingIn(() => client.callTool({ name, arguments: args }));
      return (content as { text: string }[]).map(({ text }) => text).join('\n');
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
