import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Clock } from '@watchword/protocol';
import type { Place } from '@watchword/server';

type Answer = Parameters<NonNullable<Place['answering']>>[0];
type Request = Parameters<Answer>[0];

/** A fault that goes on until its end. `using` ends it too. */
export interface Fault extends Disposable {
  end(): void;
}

/** Which requests a fault of answers concerns. */
export interface FaultyAnswers {
  /** What the path of the request begins with, such as `/v1/tokeninfo`. Default: every path. */
  readonly path?: string;
}

/** Faults of a test server, each until its end. Those of tokens are real: the server answers as it always does to such a token. */
export interface Faults {
  /** Tokens of the token endpoint have expired when they are issued: they are issued as of so long ago. Refresh tokens have not. */
  expiredTokens(): Fault;
  /** `logIn` and `clientCredentials` give tokens for another resource server, to a client of that. */
  wrongAudience(): Fault;
  /** `logIn` and `clientCredentials` give tokens of another server, which has the same records and signs with the same keys. */
  wrongIssuer(): Fault;
  /** `logIn` and `clientCredentials` give tokens that were revoked a moment ago. */
  revokedTokens(): Fault;
  /** Answers come so many milliseconds late. Those that wait at the end of the fault come then. */
  slow(milliseconds: number, answers?: FaultyAnswers): Fault;
  /** Requests are answered with 503. */
  unavailable(answers?: FaultyAnswers): Fault;
  /** Connections break without an answer. */
  unreachable(answers?: FaultyAnswers): Fault;
  /** The key set of the server cannot be got. */
  unreachableKeys(): Fault;
  /** Ends all faults. */
  endAll(): void;
}

type TokenFault = 'expired' | 'audience' | 'issuer' | 'revoked';

interface AnswerFault {
  readonly kind: 'slow' | 'unavailable' | 'unreachable';
  readonly path: string;
  readonly milliseconds?: number;
  /** Answers what is delayed. */
  readonly delayed: Map<NodeJS.Timeout, () => void>;
}

const keySetPath = '/oauth2/jwks';
const tokenPath = '/oauth2/token';

/** What a test server does wrong at present. */
export class TestFaults implements Faults {
  /** The requests of the test server itself have it, and no fault of answers. */
  readonly pass = { 'x-watchword-test': randomUUID() };
  readonly #tokens = new Map<symbol, TokenFault>();
  readonly #answers = new Map<symbol, AnswerFault>();
  readonly #past = new AsyncLocalStorage<number>();
  readonly #longestLifetime: () => number;

  /** @param longestLifetime seconds */
  constructor(longestLifetime: () => number) {
    this.#longestLifetime = longestLifetime;
  }

  readonly expiredTokens = () => this.#beginTokens('expired');
  readonly wrongAudience = () => this.#beginTokens('audience');
  readonly wrongIssuer = () => this.#beginTokens('issuer');
  readonly revokedTokens = () => this.#beginTokens('revoked');
  readonly slow = (milliseconds: number, answers?: FaultyAnswers) =>
    this.#beginAnswers('slow', answers, milliseconds);
  readonly unavailable = (answers?: FaultyAnswers) => this.#beginAnswers('unavailable', answers);
  readonly unreachable = (answers?: FaultyAnswers) => this.#beginAnswers('unreachable', answers);
  readonly unreachableKeys = () => this.unreachable({ path: keySetPath });

  endAll(): void {
    this.#tokens.clear();
    for (const [id, fault] of this.#answers) this.#endAnswers(id, fault);
  }

  has(fault: TokenFault): boolean {
    return [...this.#tokens.values()].includes(fault);
  }

  /** The clock of the server: within a request whose tokens are to have expired, that of the past. */
  clock({ now }: Clock): Clock {
    return { now: () => now() - (this.#past.getStore() ?? 0) };
  }

  readonly answering: NonNullable<Place['answering']> = (answer) => (request) => {
    const isOwn = request.headers['x-watchword-test'] === this.pass['x-watchword-test'];
    const path = request.target.replace(/^https?:\/\/[^/]+/, '');
    const fault = isOwn ? undefined : [...this.#answers.values()].find((each) => path.startsWith(each.path));
    if (fault?.kind === 'unreachable') request.socket.destroy();
    else if (fault?.kind === 'unavailable') answerUnavailable(request);
    else if (fault?.kind === 'slow') this.#delay(fault, () => this.#answer(answer, request, path));
    else this.#answer(answer, request, path);
  };

  #answer(answer: Answer, request: Request, path: string): void {
    if (!path.startsWith(tokenPath) || !this.has('expired')) answer(request);
    // A token of the longest lifetime has expired for a minute, so that no leeway of a clock accepts it.
    else this.#past.run((this.#longestLifetime() + 60) * 1000, () => answer(inThisContext(request)));
  }

  #delay({ delayed, milliseconds }: AnswerFault, work: () => void): void {
    const timer = setTimeout(() => {
      delayed.delete(timer);
      work();
    }, milliseconds);
    delayed.set(timer, work);
  }

  #beginTokens(fault: TokenFault): Fault {
    const id = Symbol(fault);
    this.#tokens.set(id, fault);
    return faultEndedBy(() => void this.#tokens.delete(id));
  }

  #beginAnswers(kind: AnswerFault['kind'], { path = '/' }: FaultyAnswers = {}, milliseconds = 0): Fault {
    const id = Symbol(kind);
    const fault = { kind, path, milliseconds, delayed: new Map() };
    this.#answers.set(id, fault);
    return faultEndedBy(() => this.#endAnswers(id, fault));
  }

  #endAnswers(id: symbol, { delayed }: AnswerFault): void {
    this.#answers.delete(id);
    for (const [timer, work] of delayed) {
      clearTimeout(timer);
      work();
    }
    delayed.clear();
  }
}

function faultEndedBy(end: () => void): Fault {
  return { end, [Symbol.dispose]: end };
}

function answerUnavailable(request: Request): void {
  const body = {
    error: 'temporarily_unavailable',
    error_description: 'The server is to be unavailable in this test.',
  };
  request.answer({ status: 503, headers: { 'retry-after': '1' }, body }, randomUUID(), {
    connection: 'close',
  });
}

/** A body can arrive later, in an event of the connection. */
function inThisContext(request: Request): Request {
  return new Proxy(request, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (name === 'readBody') {
        return (limit: number, whenRead: Parameters<Request['readBody']>[1]) =>
          target.readBody(limit, AsyncLocalStorage.bind(whenRead));
      }
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
