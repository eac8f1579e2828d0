import type { AccessToken } from '@watchword/protocol';
import { openSqliteServerStore } from '../../src/index.ts';

/** Runs as a process: opens the database as a server, inserts the token, prints a line and keeps running. */
const [file = '', id = ''] = process.argv.slice(2);
const store = await openSqliteServerStore({ file, clock: Date });
const token: AccessToken = {
  id,
  verifierHash: Buffer.alloc(32),
  clientRecordId: 1,
  grantId: undefined,
  scopes: [],
  expires: 0,
  creationDate: 0,
};
await store.accessTokens.insert(token);
console.log('inserted');
setInterval(() => {}, 1000);
