import type { HostRule } from '../../../model/records/host-rule.ts';

/** Reads what administrators decided about the hosts of clients. */
export interface HostRuleReader {
  /** All, in the order of their patterns. */
  list(): Promise<HostRule[]>;
}

/** Changes it, within a transaction. */
export interface HostRuleStore extends HostRuleReader {
  /** Replaces the rule of the same pattern. */
  put(rule: HostRule): Promise<void>;
  /** `false` if there is no rule of this pattern. */
  remove(pattern: string): Promise<boolean>;
}
