import { numbered } from './statement.ts';
import { accessTokenStatements } from './statements/access-tokens.ts';
import { authorizationCodeStatements } from './statements/authorization-codes.ts';
import { consentStatements } from './statements/consents.ts';
import { grantStatements } from './statements/grants.ts';
import { loginAttemptStatements } from './statements/login-attempts.ts';
import { loginSessionStatements } from './statements/login-sessions.ts';
import { refreshTokenStatements } from './statements/refresh-tokens.ts';
import { revokedTokenStatements } from './statements/revoked-tokens.ts';
import { sessionClientStatements } from './statements/session-clients.ts';
import { writeProofStatements } from './statements/write-proof.ts';

/** Every statement of hot writes. A command names them by their numbers. */
export const statements = numbered({
  ...accessTokenStatements,
  ...authorizationCodeStatements,
  ...consentStatements,
  ...grantStatements,
  ...loginAttemptStatements,
  ...loginSessionStatements,
  ...refreshTokenStatements,
  ...sessionClientStatements,
  ...revokedTokenStatements,
  ...writeProofStatements,
});
