import { insert } from '../operation.ts';
import { decides } from '../statement.ts';
import { revokedTokenColumns } from '../tables.ts';

export const revokedTokenStatements = {
  insertRevokedToken: decides(
    revokedTokenColumns,
    insert('revoked_token', revokedTokenColumns, { onConflict: { key: ['id'], action: 'do nothing' } }),
    { key: ['id'] },
  ),
};
