import { insert } from './operation.ts';
import { follows, numbered } from './statement.ts';
import {
  accessTokenStatements,
  authorizationCodeStatements,
  consentStatements,
  grantStatements,
  refreshTokenStatements,
  revokedTokenStatements,
} from './statements/grants.ts';
import {
  loginAttemptStatements,
  loginSessionStatements,
  oneTimeStatements,
  sessionClientStatements,
} from './statements/logins.ts';

const columns = { filler: 'bytes' } as const;

const writeProofStatements = {
  /** The bytes differ each time: a database does not have to write an unchanged value. */
  proveWritable: follows(
    columns,
    insert('write_proof', columns, {
      constants: { id: '1' },
      onConflict: { key: ['id'], action: 'do update set filler = excluded.filler' },
    }),
  ),
};

/** Every statement of hot writes. A command names them by their numbers. */
export const statements = numbered({
  ...accessTokenStatements,
  ...authorizationCodeStatements,
  ...consentStatements,
  ...grantStatements,
  ...loginAttemptStatements,
  ...loginSessionStatements,
  ...oneTimeStatements,
  ...refreshTokenStatements,
  ...sessionClientStatements,
  ...revokedTokenStatements,
  ...writeProofStatements,
});
