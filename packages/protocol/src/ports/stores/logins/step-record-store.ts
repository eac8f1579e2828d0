import type { Identity } from '../../../model/resource-owner.ts';

/** What a person did in a step of a login. */
export interface StepRecord {
  /** The subject of the person. */
  readonly subject: string;
  /** The name of the step. */
  readonly step: string;
  /** By it the step finds out whether this is still enough. Another one replaces it. */
  readonly version: string;
  /** Epoch milliseconds. */
  readonly doneAt: number;
  /** Epoch milliseconds: the record says nothing any more. 0: it has no end. */
  readonly expires: number;
  /** What the step keeps for itself. A secret is sealed. Default: nothing. */
  readonly data?: string;
  /** Whose account it was. */
  readonly owner: Identity;
}

/** What people did in the steps of their logins: one record of each step and person, for every step that must remember something. */
export interface StepRecordStore {
  /** Also a record that has expired, until the purge removes it. */
  find(subject: string, step: string): Promise<StepRecord | undefined>;
  /**
   * Stores the record of the step in place of the one with the version `replaces`. `false`, and nothing is stored, if the version is
   * another one by now: so a version is replaced once, on every node.
   *
   * @param replaces `undefined`: the person has no record of the step
   */
  save(record: StepRecord, replaces: string | undefined): Promise<boolean>;
}
