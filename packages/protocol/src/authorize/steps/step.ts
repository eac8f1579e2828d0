import type { LoginSession } from '../../model/records/login-session.ts';
import type { Submission } from '../../ports/modules/module-step.ts';
import type { AuthState } from '../auth-state.ts';
import type { Browser } from '../browser.ts';
import type { Interaction } from '../interaction.ts';
import type { Outcome } from '../outcome.ts';
import type { RestartReason } from '../restart-reason.ts';
import type { Factor } from '../sessions/factor.ts';
import type { PreparedSession } from '../sessions/new-session.ts';

/**
 * One step between an authorization request and its response. A login step gets a {@link PendingSession}; a request step gets a valid
 * session. No step knows what comes before it or after it.
 */
export interface Step<Before, After = Before> {
  readonly name: string;
  isNeeded(interaction: Interaction, session: Before): boolean | Promise<boolean>;
  begin(interaction: Interaction, session: Before): Promise<StepResult<After>>;
  /** A page of the step returns. Absent for a step without a page. @param session in which the browser is now */
  resume?(
    interaction: Interaction,
    session: Before | undefined,
    returned: Returned,
  ): Promise<StepResult<After>>;
}

/** What a browser brings back to a step. */
export interface Returned {
  readonly state: AuthState;
  readonly submission: Submission;
  /** The name of an authenticator, if the user chooses one instead of an answer to the page. */
  readonly chosen?: string;
}

export type StepResult<Session> = Outcome | Done<Session> | StartAgain;

/** The next step can begin. */
export interface Done<Session> {
  readonly type: 'done';
  readonly interaction: Interaction;
  readonly session: Session;
}

/** Something has changed since it was read: the request begins again at its first step that is not done. */
export interface StartAgain {
  readonly type: 'startAgain';
  readonly interaction: Interaction;
}

/** The page was shown in another session, or what it asked has changed. The resource owner is asked, even after a consent before. */
export function askedAgain(interaction: Interaction, again: RestartReason): StartAgain {
  return { type: 'startAgain', interaction: { ...interaction, mustAskConsent: true, again } };
}

/** Somebody whom the first factor has let in, on the way to a valid session. */
export interface PendingSession {
  /** As it is stored, or as it will be. */
  readonly session: LoginSession;
  /** What the first factor has just proved. Nothing of it is stored. */
  readonly prepared?: PreparedSession;
  /** The cookie value of a session that is stored, and not valid before it has passed all steps. The browser does not have it. */
  readonly held?: string | undefined;
  /** What further steps have proved. */
  readonly factors?: readonly Factor[] | undefined;
}

/** All steps of a request, in their order. */
export interface Steps {
  readonly firstFactor: Step<PendingSession | undefined, PendingSession>;
  /** Further factors, and what a person must do before the session is valid. */
  readonly login: readonly Step<PendingSession>[];
  /** Between the steps of the login and those of the request. */
  establish(interaction: Interaction, pending: PendingSession): Promise<StepResult<LoginSession>>;
  /** The last one answers the client. */
  readonly request: readonly Step<LoginSession>[];
  /** The session in which a page of a login step was shown; `undefined` if it has ended. */
  pending(browser: Browser, state: AuthState): Promise<PendingSession | undefined>;
  /** The valid session of a browser. */
  current(browser: Browser): Promise<LoginSession | undefined>;
}
