import type { Migration } from 'kysely/migration';
import { initial } from './0001-initial.ts';
import { authorization } from './0002-authorization.ts';
import { accounts } from './0003-accounts.ts';
import { administration } from './0004-administration.ts';
import { issuedByHour } from './0005-issued-by-hour.ts';
import { federatedLogin } from './0006-federated-login.ts';
import { trustedClients } from './0007-trusted-clients.ts';
import { repeatedRotations } from './0008-repeated-rotations.ts';
import { ownerChanges } from './0009-owner-changes.ts';
import { loginEvents } from './0010-login-events.ts';
import { writeProof } from './0012-write-proof.ts';

/** Every migration, under the name that the database remembers; a released one is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
  '0002-authorization': authorization,
  '0003-accounts': accounts,
  '0004-administration': administration,
  '0005-issued-by-hour': issuedByHour,
  '0006-federated-login': federatedLogin,
  '0007-trusted-clients': trustedClients,
  '0008-repeated-rotations': repeatedRotations,
  '0009-owner-changes': ownerChanges,
  '0010-login-events': loginEvents,
  '0012-write-proof': writeProof,
};
