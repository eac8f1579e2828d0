/** `broken`: a client cannot use the server, or an attacker can. `skipped`: nothing is known, for the reason that is named. */
export type Verdict = 'ok' | 'warning' | 'broken' | 'skipped';

/** One fact about the server. All texts are sentences without a secret. */
export interface Finding {
  readonly verdict: Verdict;
  /** What came. */
  readonly found: string;
  readonly expected?: string;
  /** The setting or the command that mends it. */
  readonly advice?: string;
}

/** A finding with the name of the check that it is from. */
export interface NamedFinding extends Finding {
  readonly check: string;
}

export interface Cure {
  readonly expected: string;
  readonly advice: string;
}

export function ok(found: string): Finding {
  return { verdict: 'ok', found };
}

export function warning(found: string, cure: Cure): Finding {
  return { verdict: 'warning', found, ...cure };
}

export function broken(found: string, cure: Cure): Finding {
  return { verdict: 'broken', found, ...cure };
}

/** @param advice how the check can be made, if it can */
export function skipped(found: string, advice?: string): Finding {
  return { verdict: 'skipped', found, ...(advice !== undefined && { advice }) };
}

export function isBroken({ verdict }: Finding): boolean {
  return verdict === 'broken';
}
