import {
  type Clock,
  type CredentialStore,
  type Factor,
  type Interaction,
  identityOf,
  isObject,
  type LoginLevel,
  type LoginSession,
  type LoginStep,
  type LoginStepAnswer,
  type LoginStepForm,
  type Message,
  reaches,
  type StepRecordStore,
  strongest,
  submitted,
  type Transact,
} from '@watchword/protocol';
import type { FactorOwner } from './enrolment.ts';
import { type Demand, demandOf, lacksFactor, type PolicyDependencies } from './factor-policy.ts';
import type { FactorWay, ReturnedForm, WayForm } from './second-factor-way.ts';

/** One kind of factor that people add in a login. */
export interface EnrolmentWay extends FactorWay {
  /** @param state of the page before, which is shown again */
  ask(who: FactorOwner, state: unknown): Promise<WayForm>;
  /** @param transact in which the factor is stored */
  add(
    who: FactorOwner,
    returned: ReturnedForm,
    transact: Transact,
  ): Promise<EnrolledFactor | { readonly problem: Message }>;
}

export interface EnrolledFactor {
  readonly factor: Factor;
  /** Recovery codes that the person has got with it. */
  readonly codes: readonly string[];
}

export interface EnrolmentStepDependencies extends PolicyDependencies {
  readonly credentials: Pick<CredentialStore, 'listBySubject'>;
  readonly stepRecords: StepRecordStore;
  readonly transact: Transact;
  readonly clock: Clock;
  /** In the order in which they are offered. */
  readonly ways: readonly EnrolmentWay[];
}

const name = 'factor_enrolment';
const day = 86_400_000;

/** What a person is asked. */
interface Asked {
  readonly who: FactorOwner;
  readonly level: LoginLevel;
  readonly demand: Demand;
  readonly ways: readonly EnrolmentWay[];
  readonly mayPutOff: boolean;
}

/**
 * Asks whoever must have a second factor and has none to add one, right after the first factor: never in a session that goes on, where it
 * could be anybody's. It is bound to the pending session, as every step is.
 */
export function enrolmentStep(deps: EnrolmentStepDependencies): LoginStep {
  return {
    name,
    isNeeded: async (login, interaction) => (await askedOf(login, interaction, deps)) !== undefined,

    async begin(login, interaction) {
      const asked = await askedOf(login, interaction, deps);
      const [only, ...others] = asked?.ways ?? [];
      if (asked === undefined || only === undefined) return { type: 'passed' };
      return others.length > 0 ? choiceForm(asked) : formOf(only, asked);
    },

    async resume(login, interaction, { state, submission }) {
      const shown = isObject(state) ? state : {};
      // The codes were shown: the factor is there, and was proved when it was added.
      if (shown.added !== undefined) return { type: 'passed', factor: shown.added as Factor };
      const asked = await askedOf(login, interaction, deps);
      // A factor was added meanwhile, perhaps by the owner: whoever is here must prove it.
      if (asked === undefined) return { type: 'again' };
      const choice = submitted(submission, 'choice');
      if (choice === later.value && asked.mayPutOff) return { type: 'passed' };
      const way = asked.ways.find(({ kind }) => kind === shown.way);
      const chosen = asked.ways.find(({ kind }) => kind === choice) ?? way;
      if (chosen === undefined) return choiceForm(asked);
      return chosen === way
        ? added(way, asked, { submission, state: shown.own }, deps)
        : formOf(chosen, asked);
    },
  };
}

/** `undefined` where nothing is asked. */
async function askedOf(
  login: LoginSession,
  interaction: Interaction,
  deps: EnrolmentStepDependencies,
): Promise<Asked | undefined> {
  const { hasLoggedIn = false, browser } = interaction;
  const { owner, authentication } = login;
  const level = authentication.level ?? 'sfa';
  const demand = demandOf(login, interaction, deps);
  const needed = strongest([demand.policy, demand.client]);
  const ways = deps.ways.filter((way) => reaches(way.level, needed));
  if (!hasLoggedIn || ways.length === 0 || reaches(level, needed)) return undefined;
  if (!lacksFactor(level, await deps.credentials.listBySubject(owner.subject), demand)) return undefined;
  // What the client alone demands can be left: then the client gets nothing.
  const mayPutOff = reaches(level, demand.policy) || (await isInGrace(login, deps));
  return { who: { owner, browser }, level, demand, ways, mayPutOff };
}

/** The person is asked since a moment that is stored once, so that the days of grace end. */
async function isInGrace(
  { owner }: LoginSession,
  { policy: { graceDays }, stepRecords, clock }: EnrolmentStepDependencies,
): Promise<boolean> {
  if (graceDays === 0) return false;
  const { subject } = owner;
  const now = clock.now();
  const before = await stepRecords.find(subject, name);
  if (before !== undefined) return now < before.doneAt + graceDays * day;
  const record = { subject, step: name, version: 'asked', doneAt: now, expires: 0, owner: identityOf(owner) };
  await stepRecords.save(record, undefined);
  return true;
}

/** Nothing is added once the person has a factor: of two logins at once, one adds it, and the other one must prove it. */
async function added(
  way: EnrolmentWay,
  asked: Asked,
  returned: ReturnedForm,
  { transact }: EnrolmentStepDependencies,
): Promise<LoginStepAnswer> {
  const { who, level, demand } = asked;
  let isLate = false;
  const guarded: Transact = (work) =>
    transact(async (stores) => {
      isLate = !lacksFactor(level, await stores.credentials.listBySubject(who.owner.subject), demand);
      if (isLate) throw new Error('The person has a factor by now.');
      return work(stores);
    });
  const outcome = await way.add(who, returned, guarded).catch((error: unknown) => {
    if (!isLate) throw error;
  });
  if (outcome === undefined) return { type: 'again' };
  if ('problem' in outcome) {
    return formOf(way, asked, { state: returned.state, message: outcome.problem });
  }
  return outcome.codes.length === 0 ? { type: 'passed', factor: outcome.factor } : codesForm(outcome);
}

const later = { value: 'later', text: { key: 'factor.later' } } as const;

function choiceOf({ kind, label }: EnrolmentWay) {
  return { value: kind, text: label };
}

const form = { type: 'form', title: { key: 'factor.addTitle' } } as const;

function choiceForm({ ways, mayPutOff }: Asked): LoginStepForm {
  const choices = [...ways.map(choiceOf), ...(mayPutOff ? [later] : [])];
  return { ...form, text: { key: 'factor.addText' }, choices };
}

async function formOf(
  way: EnrolmentWay,
  { who, ways, mayPutOff }: Asked,
  again: { readonly state?: unknown; readonly message?: Message } = {},
): Promise<LoginStepForm> {
  const { submit, state, ...page } = await way.ask(who, again.state);
  const others = ways.filter((other) => other !== way).map(choiceOf);
  return {
    ...form,
    ...page,
    ...(again.message !== undefined && { message: again.message, status: 403 }),
    choices: [{ value: way.kind, text: submit }, ...others, ...(mayPutOff ? [later] : [])],
    state: { way: way.kind, own: state },
  };
}

function codesForm({ factor, codes }: EnrolledFactor): LoginStepForm {
  return {
    ...{
      type: 'form',
      title: { key: 'recovery-codes.title' },
      text: { key: 'recovery-codes.advice' },
      codes,
    },
    choices: [{ value: 'go', text: { key: 'recovery-codes.kept' } }],
    state: { added: factor },
  };
}
