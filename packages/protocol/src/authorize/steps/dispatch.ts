import { OAuthError } from '../../model/errors/errors.ts';
import type { LoginSession } from '../../model/records/login-session.ts';
import type { AuthState } from '../auth-state.ts';
import type { Interaction } from '../interaction.ts';
import type { Outcome } from '../outcome.ts';
import { changedSession } from '../restart-reason.ts';
import {
  askedAgain,
  type PendingSession,
  type Returned,
  type Step,
  type StepResult,
  type Steps,
} from './step.ts';

// Each is the consequence of another request, which has ended access of the same resource owner, or has got an answer.
const maxRestarts = 20;

/** Leads a request through the steps that it needs. */
export function dispatcher({ firstFactor, login, establish, request, pending, current }: Steps) {
  const start = async (interaction: Interaction): Promise<Outcome> => {
    const session = await current(interaction.browser);
    const there = session && { session };
    return there !== undefined && !(await firstFactor.isNeeded(interaction, there))
      ? toEnd({ type: 'done', interaction, session: there })
      : toEnd(await firstFactor.begin(interaction, there));
  };
  const toEnd = async (result: StepResult<PendingSession>, left = login): Promise<Outcome> => {
    const at = await through(left, result);
    return answer(at.type === 'done' ? await establish(at.interaction, at.session) : at);
  };
  const answer = async (result: StepResult<LoginSession>, left = request): Promise<Outcome> => {
    const at = await through(left, result);
    if (at.type === 'done') throw new Error('The last step has not answered.');
    if (at.type !== 'startAgain') return at;
    const { given: _, hasLoggedIn: __, restarts = 0, ...interaction } = at.interaction;
    if (restarts === maxRestarts) throw new OAuthError('temporarily_unavailable', { retryAfter: 1 });
    return start({ ...interaction, restarts: restarts + 1 });
  };
  const resumeLogin = async (interaction: Interaction, returned: Returned): Promise<Outcome> => {
    const at = login.findIndex(({ name }) => name === returned.state.step);
    const there = await pending(interaction.browser, returned.state);
    const hasLoggedIn = there?.held !== undefined;
    const result = await login[at]?.resume?.({ ...interaction, hasLoggedIn }, there, returned);
    // The configuration lost the step, while its page was shown. Another user can have logged in since.
    return toEnd(result ?? askedAgain(interaction, 'method'), login.slice(at + 1));
  };
  const resume = async (name: string, interaction: Interaction, returned: Returned): Promise<Outcome> => {
    if (name === 'step') return resumeLogin(interaction, returned);
    const session = await current(interaction.browser);
    const resumed = firstFactor.name === name && firstFactor.resume;
    if (resumed) return toEnd(await resumed(interaction, session && { session }, returned));
    const at = request.findIndex((step) => step.name === name);
    const result = await request[at]?.resume?.(interaction, session, returned);
    if (result === undefined) throw new OAuthError('invalid_auth_state');
    return answer(result, request.slice(at + 1));
  };
  const showAgain = async (name: string, interaction: Interaction, state: AuthState): Promise<Outcome> => {
    if (name === 'step') {
      const at = login.findIndex((step) => step.name === state.step);
      const there = await pending(interaction.browser, state);
      const hasLoggedIn = there?.held !== undefined;
      const shown = there && (await login[at]?.begin({ ...interaction, hasLoggedIn }, there));
      return toEnd(shown ?? askedAgain(interaction, 'interrupted'), login.slice(at + 1));
    }
    const session = await current(interaction.browser);
    const at = request.findIndex((step) => step.name === name);
    const shown =
      session !== undefined && session.id === state.sessionId
        ? await request[at]?.begin({ ...interaction, mustAskConsent: true }, session)
        : undefined;
    return answer(
      shown ?? askedAgain(interaction, changedSession(session, state, interaction.browser)),
      request.slice(at + 1),
    );
  };
  return { start, resume, showAgain, current };
}

async function through<Session>(steps: readonly Step<Session>[], result: StepResult<Session>) {
  let at = result;
  for (const step of steps) {
    if (at.type !== 'done') return at;
    const { interaction, session } = at;
    if (await step.isNeeded(interaction, session)) at = await step.begin(interaction, session);
  }
  return at;
}
