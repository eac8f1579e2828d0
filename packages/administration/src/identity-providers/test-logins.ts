import {
  type Clock,
  type OneTimeStore,
  type Principal,
  type Random,
  type ReceivedValues,
  randomText,
  type TriedLoginAnswer,
} from '@watchword/protocol';

/** What came of a test login. */
export interface TriedLogin {
  readonly authenticator: string;
  /** What the identity provider said. */
  readonly received: ReceivedValues;
  /** What the rules made of it; absent if they refuse the user. */
  readonly user: TriedUser | undefined;
  /** Why the rules refuse the user; absent if they do not. */
  readonly refusal: string | undefined;
}

export interface TriedUser {
  readonly identityProvider: string;
  readonly principal: Principal;
  /** From which the subject is made; absent if it is made from the name. */
  readonly stableId: string | undefined;
  readonly acr: string | undefined;
}

/** Test logins, on all nodes. */
export interface TestLogins {
  /** @returns a secret, with which a browser begins it within ten minutes, and with which an administrator reads what came */
  start(authenticator: string): Promise<string>;
  /** The authenticator, once. */
  begin(testId: string): Promise<string | undefined>;
  finish(answer: TriedLoginAnswer): Promise<void>;
  /** What came, once. */
  take(testId: string): Promise<TriedLogin | undefined>;
}

// Milliseconds from the start to the login, and from the login to the reading of what came.
const lifetime = 600_000;
const idBytes = 32;

interface TestLoginDependencies {
  readonly oneTime: OneTimeStore;
  readonly clock: Clock;
  readonly random: Random;
}

export function testLogins({ oneTime, clock, random }: TestLoginDependencies): TestLogins {
  const put = (key: string, value: string) => oneTime.put(key, value, clock.now() + lifetime);
  return {
    async start(authenticator) {
      const testId = randomText(random, idBytes);
      await put(`test login ${testId}`, authenticator);
      return testId;
    },
    begin: (testId) => oneTime.take(`test login ${testId}`, clock.now()),
    async finish({ testId, authenticator, step }) {
      await put(`tried login ${testId}`, JSON.stringify(triedLogin(authenticator, step)));
    },
    async take(testId) {
      const text = await oneTime.take(`tried login ${testId}`, clock.now());
      return text === undefined ? undefined : JSON.parse(text);
    },
  };
}

function triedLogin(authenticator: string, step: TriedLoginAnswer['step']): TriedLogin {
  const { received = {} } = step;
  if (step.type === 'refused') {
    return { authenticator, received, user: undefined, refusal: step.description };
  }
  const { identityProvider = authenticator, principal, stableId, acr } = step;
  return {
    authenticator,
    received,
    user: { identityProvider, principal, stableId, acr },
    refusal: undefined,
  };
}
