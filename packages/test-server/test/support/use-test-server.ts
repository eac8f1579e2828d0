import { startTestServer } from '../../src/index.ts';

/** Lets a test server do what makes it store, sign and ask. */
export async function useTestServer(): Promise<void> {
  const server = await startTestServer();
  await server.logIn({ scope: 'openid' });
  await server.rotateKeys();
  server.faults.wrongIssuer();
  await server.logIn();
  await server.close();
}
