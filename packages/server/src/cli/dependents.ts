/** What is deleted and revoked with a record. */
export interface Dependents {
  /** Clients, where the record is one that has some. */
  readonly clients?: number;
  /** Tokens that are active now. */
  readonly tokens: number;
  /** Counting tokens stopped before the end, for there are so many. */
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
