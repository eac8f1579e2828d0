import { writeFile } from 'node:fs/promises';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import type { SettingPath } from '../../src/config/settings.ts';

export const authorizePath = '/authorize?response_type=code&client_id=demo-app';

/** A server with a module from a file. Users see no more questions than the module has. */
export async function moduleServer(
  setting: 'authenticator' | 'consent',
  source: string,
  flags: Partial<Record<SettingPath, string>> = {},
): Promise<TestServer> {
  await using directory = await temporaryDirectory();
  const file = directory.file('module.mjs');
  await writeFile(file, source);
  return await startServer({ authenticator: 'noop', consent: 'noop', [setting]: file, ...flags });
}
