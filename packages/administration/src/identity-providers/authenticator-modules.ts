import type { AuthenticatorSettings, ModuleDescription, StoredAuthenticator } from '@watchword/protocol';

/** The authentication modules of the server that answers. A command has none, and makes one for a trial. */
export interface AuthenticatorModules {
  /** Those of the configuration, in its order. */
  configured(): readonly ConfiguredAuthenticator[];
  /** How an authenticator is on this node; `undefined` for one that it does not know yet. */
  state(name: string): AuthenticatorState | undefined;
  /** Resolves when this node has made the modules of all records that it knows, or cannot make them. */
  loaded(): Promise<void>;
  /** Makes the module of a record for a trial, and so reads its metadata. Nothing of it stays. */
  check(candidate: Pick<StoredAuthenticator, 'name' | 'kind' | 'settings'>): Promise<CheckedAuthenticator>;
  /** Begins a test login. @param testId a secret */
  testUrl(name: string, testId: string): string;
}

export interface ConfiguredAuthenticator {
  readonly name: string;
  /** As the configuration names it. */
  readonly module: string;
  readonly label: string;
  /** Where it is configured: the setting, and its file, flag or variable. */
  readonly setting: string;
}

export interface AuthenticatorState extends ModuleDescription {
  readonly problems: readonly string[];
}

export interface CheckedAuthenticator {
  /** What is wrong with it, each with the setting. */
  readonly problems: readonly { readonly setting: string; readonly problem: string }[];
  /** The settings, with what was read from the other side. */
  readonly settings: AuthenticatorSettings;
}
