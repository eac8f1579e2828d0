import type { StoreUnderTest } from '../store-under-test.ts';

/** @param before resolves when the calls that were made before are over; never within one of them, a transaction */
type Act = (before: Promise<unknown>) => Promise<unknown>;

/** Lets something happen at one of the calls that a server makes of its store. */
export class Gate {
  readonly #before: Promise<unknown>[] = [];
  #calls = 0;
  #at = 0;
  #act: Act | undefined;

  /** Before the call of this number from now on, counted from 1, `act` runs to its end. */
  aim(at: number, act: Act): void {
    this.#calls = 0;
    this.#at = at;
    this.#act = act;
    this.#before.length = 0;
  }

  /** Whether the call has come. After that it does not come any more. */
  close(): boolean {
    const hasActed = this.#act === undefined;
    this.#act = undefined;
    return hasActed;
  }

  async call<Value>(run: () => Promise<Value>): Promise<Value> {
    this.#calls += 1;
    if (this.#calls === this.#at && this.#act !== undefined) {
      const act = this.#act;
      this.#act = undefined;
      await act(Promise.allSettled(this.#before));
    }
    const called = run();
    this.#before.push(called);
    return called;
  }
}

/** Ports whose calls are counted: those of requests and of ends. */
const ports = [
  'accessTokens',
  'accounts',
  'authorizationCodes',
  'consentAnswers',
  'consents',
  'grantList',
  'grants',
  'identityProviderUse',
  'loginSessions',
  'refreshTokens',
  'sessionClients',
  'sessionLinks',
] as const;

/**
 * The store with a gate before each call.
 *
 * @param insideTransactions also before the calls of transactions, which must not wait for other changes there
 */
export function gated(store: StoreUnderTest, gate: Gate, insideTransactions: boolean): StoreUnderTest {
  const wrapped = Object.fromEntries(ports.map((port) => [port, gatedPort(store[port], gate)]));
  const transact: StoreUnderTest['transact'] = (work) =>
    gate.call(() =>
      store.transact((stores) => {
        if (!insideTransactions) return work(stores);
        const inside = Object.entries(stores).map(([name, port]) => [name, gatedPort(port, gate)]);
        return work(Object.fromEntries(inside));
      }),
    );
  return { ...store, ...wrapped, transact };
}

function gatedPort<Port extends object>(port: Port, gate: Gate): Port {
  return new Proxy(port, {
    get(target, name, receiver) {
      const method = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return (...parameters: unknown[]) => gate.call(() => method.apply(target, parameters));
    },
  });
}
