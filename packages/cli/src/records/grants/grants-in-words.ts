import type { EndedGrants, UsedRows } from '@watchword/protocol';

/** "1 grant with its tokens and 2 remembered consents" */
export function grantsInWords({ grants, consents }: EndedGrants): string {
  const granted = `${grants} grant${grants === 1 ? ' with its' : 's with their'} tokens`;
  return `${granted} and ${consents} remembered consent${consents === 1 ? '' : 's'}`;
}

/** "3 login sessions, 1 grant with its tokens and 2 remembered consents" */
export function usedRowsInWords({ loginSessions, ...granted }: UsedRows): string {
  const sessions = `${loginSessions} login session${loginSessions === 1 ? '' : 's'}`;
  return `${sessions}, ${grantsInWords(granted)}`;
}
