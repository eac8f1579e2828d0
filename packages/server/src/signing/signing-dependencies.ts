import type { SigningKeyDependencies } from '@watchword/administration';
import type { SigningKeyReader, SigningKeyRules } from '@watchword/protocol';
import type { Custody } from './custody.ts';

export interface SigningDependencies extends SigningKeyDependencies {
  readonly signingKeys: SigningKeyReader;
  readonly custody: Custody;
  readonly rules: SigningKeyRules;
  /** Calls back after each change of any process. */
  readonly followChanges: (read: () => Promise<void>) => void;
  /** Reads the changes of all processes now. */
  readonly refresh: () => Promise<unknown>;
}
