import {
  type AttemptedAccount,
  type Credential,
  type CredentialStore,
  type Instruments,
  type Interaction,
  identityOf,
  isObject,
  type LoginLevel,
  type LoginSession,
  type LoginStep,
  type LoginStepAnswer,
  type LoginStepForm,
  type NeededLevels,
  type PresentedFactor,
  reaches,
  type SecurityLog,
  strongest,
  submitted,
} from '@watchword/protocol';
import { waiting } from '../passwords/password-pages.ts';
import { reachOf } from './factor-policy.ts';
import type { ReturnedForm, SecondFactorWay } from './second-factor-way.ts';

export interface SecondFactorDependencies {
  readonly credentials: Pick<CredentialStore, 'listBySubject'>;
  readonly securityLog: SecurityLog;
  readonly instruments: Pick<Instruments, 'factorPresented'>;
  /** In the order in which they are offered. */
  readonly ways: readonly SecondFactorWay[];
  /** What the policy asks of a login: `wished` is asked where the person can. Default: a single factor. */
  needed?(login: LoginSession, interaction: Interaction): NeededLevels;
}

/** A way that a person has. */
interface OwnWay {
  readonly way: SecondFactorWay;
  readonly own: readonly Credential[];
}

/** Whether a person has more than one proof of a login. Recovery codes alone are none: they help where the other one is lost. */
export function hasSecondFactor(own: readonly Pick<Credential, 'kind'>[]): boolean {
  return reachOf(own) !== 'sfa';
}

/** Asks whoever has a second factor for it, after any first factor. */
export function secondFactor(deps: SecondFactorDependencies): LoginStep {
  const { credentials, ways, needed = () => ({ required: 'sfa', wished: 'sfa' }) } = deps;
  /** Those that make the login stronger. Where the policy requires more than some of them, those are none. */
  const ownWays = async (login: LoginSession, interaction: Interaction): Promise<readonly OwnWay[]> => {
    const all = await credentials.listBySubject(login.owner.subject);
    if (!hasSecondFactor(all)) return [];
    const own = raising(login, ways, all);
    const { required } = needed(login, interaction);
    const enough = own.filter(({ way }) => reaches(way.level, required));
    return enough.length === 0 ? own : enough;
  };

  return {
    name: 'second_factor',

    /** Of a session that is valid, nothing is read unless the policy asks for more than its login has. */
    async isNeeded(login, interaction) {
      const { required, wished } = needed(login, interaction);
      const least = interaction.hasLoggedIn === true ? 'mfa' : 'sfa';
      if (reaches(levelOf(login), strongest([required, wished, least]))) return false;
      return (await ownWays(login, interaction)).length > 0;
    },

    async reach(login, interaction) {
      return strongest((await ownWays(login, interaction)).map(({ way }) => way.level));
    },

    async begin(login, interaction) {
      const all = await ownWays(login, interaction);
      const first = lastUsed(all);
      return first === undefined ? { type: 'passed' } : formOf(first, all, { login, interaction });
    },

    async resume(login, interaction, { state, submission }) {
      const all = await ownWays(login, interaction);
      const at = { login, interaction };
      const asked = all.find(({ way }) => isObject(state) && state.way === way.kind);
      const chosen = all.find(({ way }) => way.kind === submitted(submission, 'choice')) ?? asked;
      // The way that the page asked for is gone.
      if (asked === undefined || chosen === undefined) return this.begin(login, interaction);
      if (chosen !== asked) return formOf(chosen, all, at);
      const returned = { submission, state: isObject(state) ? state.own : undefined };
      return proved(asked, all, at, returned, deps);
    },
  };
}

/** What fails is guessed only by somebody who has passed the first factor, so that nobody else can make the owner wait. */
async function proved(
  asked: OwnWay,
  all: readonly OwnWay[],
  at: Asked,
  returned: ReturnedForm,
  { instruments, securityLog }: Pick<SecondFactorDependencies, 'instruments' | 'securityLog'>,
): Promise<LoginStepAnswer> {
  const { kind, attempts, prove } = asked.way;
  const { source, device } = at.interaction.browser;
  const attempt = [attemptedBy(at.login, asked), source, device] as const;
  const note = (outcome: PresentedFactor['outcome']) =>
    instruments.factorPresented({ kind, step: 'second_factor', outcome });
  const refuse = async (outcome: 'failure' | 'limited', again: Refusal) => {
    const form = await formOf(asked, all, at, again);
    note(outcome);
    securityLog.loginFailed(failureOf(at, again));
    return form;
  };
  const wait = (await attempts?.begin(...attempt)) ?? 0;
  if (wait > 0) return refuse('limited', waiting(wait));
  const answer = await prove({ ...at, own: asked.own }, returned).catch(async (error: unknown) => {
    await attempts?.withdraw(...attempt);
    throw error;
  });
  if ('message' in answer) return refuse('failure', { ...answer, status: 403 });
  note('success');
  await attempts?.succeed(...attempt);
  const known = attempts?.remember(attempt[0], device);
  return { type: 'passed', factor: answer.factor, ...(known !== undefined && { device: known }) };
}

/** The ways of a person that make the login stronger. */
function raising(
  login: LoginSession,
  ways: readonly SecondFactorWay[],
  all: readonly Credential[],
): readonly OwnWay[] {
  return ways.flatMap((way) => {
    const own = all.filter(({ kind }) => kind === way.kind);
    return own.length === 0 || reaches(levelOf(login), way.level) ? [] : { way, own };
  });
}

function levelOf({ authentication }: LoginSession): LoginLevel {
  return authentication.level ?? 'sfa';
}

/** Why a page comes again. */
type Refusal = Pick<LoginStepForm, 'status' | 'retryAfter' | 'message'>;

interface Asked {
  readonly login: LoginSession;
  readonly interaction: Interaction;
}

/** The way that the person used last. A recovery code is for those who have nothing else at hand. */
function lastUsed(all: readonly OwnWay[]): OwnWay | undefined {
  const last = ({ way, own }: OwnWay) =>
    way.kind === 'recovery_code' ? -1 : Math.max(...own.map((credential) => credential.lastUsed));
  return all.toSorted((a, b) => last(b) - last(a))[0];
}

async function formOf(
  { way, own }: OwnWay,
  all: readonly OwnWay[],
  at: Asked,
  again: Refusal = {},
): Promise<LoginStepForm> {
  const { submit, state, ...form } = await way.ask({ ...at, own });
  const others = all.filter((other) => other.way !== way);
  return {
    type: 'form',
    title: { key: 'factor.title' },
    ...form,
    choices: [
      { value: way.kind, text: submit },
      ...others.map((other) => ({ value: other.way.kind, text: other.way.label })),
    ],
    state: { way: way.kind, own: state },
    ...again,
  };
}

/** Who proved an earlier credential has no advantage. */
function attemptedBy({ owner }: LoginSession, { way, own }: OwnWay): AttemptedAccount {
  const name = `${way.kind} ${owner.subject}`;
  return { name, secret: `${name} ${own.map(({ id }) => id).join(' ')}` };
}

function failureOf({ login, interaction }: Asked, { message, status }: Refusal) {
  const { browser, request } = interaction;
  return {
    requestId: browser.requestId,
    source: browser.source,
    clientId: request?.client.clientId,
    account: identityOf(login.owner),
    authenticator: login.authenticator,
    reason: typeof message === 'object' ? message.key : 'factor',
    status,
  };
}
