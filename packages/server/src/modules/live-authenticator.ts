import {
  type AuthenticationStep,
  isOfAuthenticator,
  levelOfValues,
  OAuthError,
  type OidcSettings,
  type StoredAuthenticator,
  strongest,
} from '@watchword/protocol';
import { type CheckedAuthenticationModule, noDescription } from './contract/checked-authentication.ts';

/** An authenticator that an administrator set up: it stays the same while its module is made anew after a change. */
export interface LiveAuthenticator extends CheckedAuthenticationModule {
  /** The record that the node has read last. */
  record(): StoredAuthenticator;
  /** A change that needs no other module. */
  rename(record: StoredAuthenticator): void;
  /** From now on nobody logs in by the module before, until its successor is there. */
  replace(record: StoredAuthenticator, loading: Promise<CheckedAuthenticationModule>): Promise<void>;
}

const retryAfter = 10;

/** @param onFailure called with the reason for which a module cannot be made */
export function liveAuthenticator(
  first: StoredAuthenticator,
  onFailure: (problem: string) => void,
): LiveAuthenticator {
  const { name } = first;
  let record = first;
  let module: CheckedAuthenticationModule | undefined;
  let problem: string | undefined;
  let isClosed = false;
  const ready = (): CheckedAuthenticationModule => {
    if (module !== undefined) return module;
    throw new OAuthError('temporarily_unavailable', { rule: 'identity_provider_response', retryAfter });
  };
  const isCurrent = (made: StoredAuthenticator) => !isClosed && made.settings === record.settings;
  return {
    name,
    get label() {
      return record.label;
    },
    get endpoints() {
      return module?.endpoints ?? [];
    },
    namesIdentityProviders: true,
    record: () => record,
    rename(changed) {
      record = { ...changed, settings: record.settings };
    },
    async replace(changed, loading) {
      const before = module;
      record = changed;
      module = undefined;
      problem = undefined;
      try {
        const made = await loading;
        if (isCurrent(changed)) module = made;
        else await made.close?.();
      } catch (error) {
        if (!isCurrent(changed)) return;
        problem = error instanceof Error ? error.message : String(error);
        onFailure(problem);
      } finally {
        await before?.close?.();
      }
    },
    isOpen: () => record.enabled,
    isConfigured(identityProvider) {
      if (!isOfAuthenticator(name, identityProvider)) return false;
      return module?.isConfigured(identityProvider);
    },
    begin: async (context) => withLevel(await ready().begin(context), record),
    resume: async (context, submission) => withLevel(await ready().resume(context, submission), record),
    logout: async (data) => module?.logout?.(data),
    problems: () => module?.problems() ?? [problem ?? 'It is not loaded yet.'],
    describe: () => module?.describe() ?? noDescription,
    async close() {
      isClosed = true;
      await module?.close?.();
      module = undefined;
    },
  };
}

/** A login counts for what the administrator says that the words of the identity provider are worth. */
function withLevel<Step extends AuthenticationStep>(step: Step, { settings }: StoredAuthenticator): Step {
  if (step.type !== 'authenticated') return step;
  const { mfaValues: mfa, phrValues: phr } = settings as Partial<OidcSettings>;
  return { ...step, level: strongest([step.level, levelOfValues(step, { mfa, phr })]) };
}
