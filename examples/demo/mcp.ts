import { run } from './run.ts';
import { type McpDemo, startMcpDemo } from './start-mcp-demo.ts';

await run('./data/demo-mcp.db', startMcpDemo, introduction);

function introduction({ mcpUrl, watchwordUrl }: McpDemo): string {
  return `
Watchword and an MCP server run on this machine. A small client connects to the server, and other clients can too:

  ${mcpUrl}

What you allowed, and how you take it back:

  ${watchwordUrl}/account
`;
}
