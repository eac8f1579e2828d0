/** What is deleted and revoked with a record. */
export interface Dependents {
  /** Number of clients, if the record is a resource server. */
  readonly clients?: number;
  /** Number of active tokens. */
  readonly tokens: number;
  /** There are more tokens than were counted. */
  readonly isLeast: boolean;
}

/** "2 clients and at least 10000 active tokens" */
export function dependentsInWords({ clients, tokens, isLeast }: Dependents): string {
  const ofClients = clients === undefined ? '' : `${numberOf(clients, 'client')} and `;
  return `${ofClients}${isLeast ? 'at least ' : ''}${numberOf(tokens, 'active token')}`;
}

function numberOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
