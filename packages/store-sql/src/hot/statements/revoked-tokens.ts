import { insertSql } from '../sql-text.ts';
import { decides } from '../statement.ts';
import { revokedTokenColumns } from '../tables.ts';

export const revokedTokenStatements = {
  insertRevokedToken: decides(
    revokedTokenColumns,
    `${insertSql('revoked_token', revokedTokenColumns)} {conflict id} do nothing`,
    { key: ['id'] },
  ),
};
