export const hostEffects = ['allow', 'block'] as const;

export type HostEffect = (typeof hostEffects)[number];

/** What an administrator decided about the hosts of clients that documents describe. */
export interface HostRule {
  /** A host name or address, or `*.` and a name for all names below it. */
  readonly pattern: string;
  readonly effect: HostEffect;
  /** Why, for other administrators. */
  readonly note: string;
  /** Epoch milliseconds. */
  readonly modificationDate: number;
}
