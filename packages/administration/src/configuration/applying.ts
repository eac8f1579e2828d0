import type { TransactionStores } from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import type { AdministrationDependencies } from '../changes/change-records.ts';
import type { Configuration } from './document.ts';
import type { Refusals } from './refusals.ts';

export interface ApplyOptions {
  /** Nothing is stored, and the plan is the same. */
  readonly isDryRun: boolean;
  /** Records that the document has no more are let go, and not deleted. */
  readonly keepsRemoved: boolean;
  /** Whether many records, or all of them, can be deleted. */
  readonly allowsDeletions: boolean;
  /** Seconds for which a secret that is replaced stays valid. */
  readonly overlap: number;
}

/** The work on one configuration, within its transaction. */
export interface Applying {
  readonly caller: Caller;
  readonly deps: AdministrationDependencies &
    Pick<TransactionStores, 'configurations'> & { readonly configuration: string };
  readonly configuration: Configuration;
  readonly options: ApplyOptions;
  readonly refusals: Refusals;
  /** Only a command on the database sets owners. */
  readonly setsOwners: boolean;
}
