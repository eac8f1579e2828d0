import { RedirectableError } from '../../model/errors/errors.ts';
import type { LoginSession } from '../../model/records/login-session.ts';
import { accessDenied, errorOf, type Interaction, originOf } from '../interaction.ts';
import { type SealDependencies, sealInteraction } from '../seal-interaction.ts';
import { withFactors } from '../sessions/factor.ts';
import type { LoginSessions } from '../sessions/login-sessions.ts';
import type { LoginStep, LoginStepAnswer, LoginStepForm } from './login-step.ts';
import { askedAgain, type PendingSession, type Step, type StepResult } from './step.ts';

export interface PagedStepDependencies extends SealDependencies {
  readonly sessions: LoginSessions;
  /** Seconds within which a login must come to its end after the first factor. */
  readonly authStateLifetime: number;
}

/** Shows the pages of a step, and lets nobody pass before. */
export function pagedStep(step: LoginStep, deps: PagedStepDependencies): Step<PendingSession> {
  const { authStates, clock, sessions, authStateLifetime } = deps;

  const taken = async (
    answer: LoginStepAnswer,
    interaction: Interaction,
    pending: PendingSession,
  ): Promise<StepResult<PendingSession>> => {
    switch (answer.type) {
      case 'passed':
        return passed(answer, interaction, pending);
      case 'again':
        await endHeld(interaction, pending);
        return askedAgain(interaction, 'changed');
      case 'refused': {
        await endHeld(interaction, pending);
        const { reason } = answer;
        return errorOf(
          interaction,
          new RedirectableError('access_denied', {
            reason,
            rule: 'passed_steps',
            text: { key: 'error.declined_step' },
          }),
          true,
        );
      }
      case 'form':
        return page(answer, interaction, pending);
    }
  };

  const page = async (form: LoginStepForm, interaction: Interaction, pending: PendingSession) => {
    const { prepared, factors = [] } = pending;
    const until = clock.now() + authStateLifetime * 1000;
    const { session, value } = prepared
      ? await sessions.hold(prepared, until, originOf(interaction))
      : { ...pending, value: pending.held };
    if ((await prepared?.login.stillHolds?.()) === false) {
      await endHeld(interaction, { held: value });
      return accessDenied(interaction, { account: 'changed' });
    }
    const kept = { step: step.name, sessionId: session.id, held: value, factors, moduleState: form.state };
    const { request } = interaction;
    const sealed = sealInteraction('step', interaction, kept, authStates);
    return { type: 'loginStep', form, owner: session.owner, ...(request && { request }), ...sealed } as const;
  };

  /** A session that was valid before goes on. */
  const endHeld = async (interaction: Interaction, { held }: Pick<PendingSession, 'held'>) => {
    if (held === undefined) return;
    const { binding } = interaction.browser;
    await sessions.end({ binding, session: held }, originOf(interaction));
  };

  return {
    name: step.name,
    isNeeded: (interaction, pending) => step.isNeeded(proved(pending), interaction),
    async begin(interaction, pending) {
      if (interaction.request?.prompt.includes('none')) {
        return errorOf(interaction, new RedirectableError('interaction_required'), true);
      }
      return taken(await step.begin(proved(pending), interaction), interaction, pending);
    },
    async resume(interaction, pending, { state, submission }) {
      // It has ended meanwhile, and another user can have logged in.
      if (pending === undefined) return askedAgain(interaction, 'interrupted');
      const answered = { state: state.moduleState, submission };
      return taken(await step.resume(proved(pending), interaction, answered), interaction, pending);
    },
  };
}

/** The login with what earlier steps have proved in it. */
function proved({ session, factors = [] }: PendingSession): LoginSession {
  if (factors.length === 0) return session;
  const { isPending } = session.authentication;
  const authentication = withFactors(session.authentication, factors);
  return { ...session, authentication: { ...authentication, ...(isPending && { isPending }) } };
}

function passed(
  { factor, device, trusted }: Extract<LoginStepAnswer, { readonly type: 'passed' }>,
  interaction: Interaction,
  pending: PendingSession,
): StepResult<PendingSession> {
  const factors = [...(pending.factors ?? []), ...(factor === undefined ? [] : [factor])];
  const cookies = {
    ...interaction.cookies,
    ...(device !== undefined && { device }),
    ...(trusted !== undefined && { trusted }),
  };
  return { type: 'done', interaction: { ...interaction, cookies }, session: { ...pending, factors } };
}
