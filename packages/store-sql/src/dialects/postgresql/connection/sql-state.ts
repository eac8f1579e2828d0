/** SQLSTATE codes that need an answer of their own (PostgreSQL documentation, appendix A). */
export const sqlState = {
  // Poolers answer with it to a wrong password.
  protocolViolation: '08P01',
  featureNotSupported: '0A000',
  readOnlyTransaction: '25006',
  inFailedTransaction: '25P02',
  invalidStatementName: '26000',
  invalidAuthorization: '28000',
  invalidPassword: '28P01',
  invalidCatalog: '3D000',
  serializationFailure: '40001',
  deadlockDetected: '40P01',
  insufficientPrivilege: '42501',
  duplicatePreparedStatement: '42P05',
  undefinedTable: '42P01',
  undefinedColumn: '42703',
  diskFull: '53100',
  tooManyConnections: '53300',
  lockNotAvailable: '55P03',
  cannotConnectNow: '57P03',
  dataCorrupted: 'XX001',
  indexCorrupted: 'XX002',
} as const;

// Whole classes of codes: connection, invalid transaction state, transaction rollback, insufficient resources, operator
// intervention, system error. Another attempt can succeed.
const unavailableClasses: ReadonlySet<string> = new Set(['08', '25', '40', '53', '57', '58']);

/** No answer is possible now, but it can be possible later. */
export function isUnavailability(code: string): boolean {
  return code === sqlState.lockNotAvailable || unavailableClasses.has(code.slice(0, 2));
}

/** Another transaction was in the way: the same transaction can succeed now. */
export function isConflict(code: string | undefined): boolean {
  return code === sqlState.deadlockDetected || code === sqlState.serializationFailure;
}

/** The server has read other bytes than it wrote. Another attempt does not help. */
export function isDamage(code: string): boolean {
  return code === sqlState.dataCorrupted || code === sqlState.indexCorrupted;
}

/** The server, or a pooler before it, does not let this role in with this password, or not any more. */
export function isRefusedLogin(code: string): boolean {
  return code.startsWith('28') || code === sqlState.protocolViolation;
}

const endsConnection: ReadonlySet<string> = new Set([
  // The server is a standby since a failover, or will be one.
  sqlState.readOnlyTransaction,
  sqlState.invalidStatementName,
  sqlState.duplicatePreparedStatement,
  // A cached plan does not fit the table any more.
  sqlState.featureNotSupported,
]);

/** The connection must not be used again after this error, although the server keeps it open. */
export function isEndOfConnection(code: string): boolean {
  return endsConnection.has(code);
}
