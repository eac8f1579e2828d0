import {
  type CredentialStore,
  type Instruments,
  type Interaction,
  isObject,
  type LoginSession,
  type LoginStep,
  type LoginStepAnswer,
  type NeededLevels,
  reaches,
  strongest,
  submitted,
} from '@watchword/protocol';
import type { TrustedBrowsers } from './trusted-browsers.ts';

interface TrustDependencies {
  readonly credentials: Pick<CredentialStore, 'listBySubject'>;
  readonly trusted: TrustedBrowsers;
  readonly instruments: Pick<Instruments, 'factorPresented'>;
  needed(login: LoginSession, interaction: Interaction): NeededLevels;
}

/** The step of the second factor, which is passed in a trusted browser, and lets people trust one. */
export function trustingStep(
  step: LoginStep,
  { credentials, trusted, instruments, needed }: TrustDependencies,
): LoginStep {
  /** A browser stands for no passkey, and for nothing where the client asks who is there now, or in a session that goes on. */
  const mayTrust = (login: LoginSession, interaction: Interaction): boolean => {
    const { hasLoggedIn = false, mustLogIn = false, request } = interaction;
    const isFresh = mustLogIn || request?.prompt.includes('login') || request?.maxAge !== undefined;
    const { required, wished } = needed(login, interaction);
    return hasLoggedIn && !isFresh && reaches('mfa', strongest([required, wished]));
  };
  const text = { key: 'factor.trust', values: { days: String(trusted.days) } };

  /** Whoever has only a recovery code at hand is rarely at their own browser. */
  const withBox = (
    answer: LoginStepAnswer,
    login: LoginSession,
    interaction: Interaction,
  ): LoginStepAnswer =>
    answer.type === 'form' && wayOf(answer.state) !== 'recovery_code' && mayTrust(login, interaction)
      ? { ...answer, box: { name: 'trust', text } }
      : answer;

  return {
    ...step,

    async begin(login, interaction) {
      const { browser } = interaction;
      if (browser.trusted !== undefined && mayTrust(login, interaction)) {
        const own = await credentials.listBySubject(login.owner.subject);
        if (await trusted.isTrusted(own, browser)) {
          instruments.factorPresented(ofTrustedBrowser);
          return { type: 'passed', factor: { level: 'mfa' } };
        }
      }
      return withBox(await step.begin(login, interaction), login, interaction);
    },

    async resume(login, interaction, returned) {
      const answer = await step.resume(login, interaction, returned);
      const isTrusting =
        answer.type === 'passed' &&
        submitted(returned.submission, 'trust') === 'yes' &&
        wayOf(returned.state) !== 'recovery_code' &&
        mayTrust(login, interaction);
      if (!isTrusting) return withBox(answer, login, interaction);
      const own = await credentials.listBySubject(login.owner.subject);
      return { ...answer, trusted: await trusted.trust(login, own, interaction.browser) };
    },
  };
}

const ofTrustedBrowser = { kind: 'trusted_browser', step: 'second_factor', outcome: 'success' } as const;

function wayOf(state: unknown): unknown {
  return isObject(state) ? state.way : undefined;
}
