import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { TokenInfo } from '@watchword/resource-server';
import { z } from 'zod';
import type { Notes } from './notes.ts';

const toolsThatWrite: ReadonlySet<unknown> = new Set(['add_note', 'remove_notes']);

/** Whether a message, or one of several in a list, calls a tool that changes something. */
export function isWriting(body: unknown): boolean {
  return [body].flat().some((message) => {
    const { method, params } = Object(message);
    return method === 'tools/call' && toolsThatWrite.has(Object(params).name);
  });
}

/** A server for one request: whose notes they are, only its token says. */
export function createMcpServer(notes: Notes, { principal }: TokenInfo): McpServer {
  const owner = JSON.stringify([principal.attributes.IDENTITY_PROVIDER, principal.name]);
  const server = new McpServer({ name: 'notes', version: '0.1.0' });
  const answer = (text: string) => ({ content: [{ type: 'text' as const, text }] });

  server.registerTool('list_notes', { description: 'Lists your notes.' }, () =>
    answer(notes.of(owner).join('\n') || 'There are no notes.'),
  );
  server.registerTool(
    'add_note',
    { description: 'Adds a note.', inputSchema: { text: z.string().trim().min(1).max(1000) } },
    ({ text }) => {
      notes.add(owner, text);
      return answer('The note was added.');
    },
  );
  server.registerTool(
    'remove_notes',
    { description: 'Removes all your notes.', annotations: { destructiveHint: true } },
    () => answer(`${notes.removeAll(owner)} notes were removed.`),
  );
  return server;
}
