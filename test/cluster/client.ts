import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { basic } from '@watchword/server-testkit/servers/server';
import { type ReadAnswer, UserAgent } from '@watchword/testkit/user-agent';
import type { Kind, Ledger } from './ledger.ts';

/** A node as clients know it. */
export interface Target {
  readonly port: number;
  /** Whether it was killed and has not started again. */
  isDown: boolean;
  kills: number;
}

export interface Question {
  readonly kind: Kind;
  readonly method?: string;
  readonly path: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** `id:secret` */
  readonly credentials?: string | undefined;
  readonly bearer?: string;
  /** Statuses that are right. */
  readonly expects: readonly number[];
  /** The token, code or refresh token of the request. */
  readonly about?: string;
  /** The node to ask; otherwise the next one that accepts a connection. */
  readonly node?: number | undefined;
}

export interface Answer {
  readonly status: number;
  /** By `performance.now()`. */
  readonly sentAt: number;
  readonly node: number;
  // biome-ignore lint/suspicious/noExplicitAny: the load reads any field of the answer
  readonly json: any;
}

interface Sending {
  readonly kind: Kind;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly about?: string | undefined;
  readonly node?: number | undefined;
}

interface Received extends ReadAnswer {
  readonly status: number;
  readonly sentAt: number;
  readonly node: number;
}

/** The request had no success: 503, or a connection that ended with its node. The client can try again. */
export class NotServed extends Error {
  override readonly name = 'NotServed';
}

/** Milliseconds in which every request must have an answer, also while no database answers. */
const answerLimit = 30_000;

const form = 'application/x-www-form-urlencoded';

/** A client that sends each request to the next node. Every answer goes into the ledger. */
export class Client {
  readonly #targets: readonly Target[];
  readonly #ledger: Ledger;
  readonly #agent = new Agent({ keepAlive: true });
  #turn: number;

  constructor(targets: readonly Target[], ledger: Ledger, firstNode: number) {
    this.#targets = targets;
    this.#ledger = ledger;
    this.#turn = firstNode;
  }

  /** Resolves with the answer, or `undefined` after a 503 or the loss of the node. */
  async ask(question: Question): Promise<Answer | undefined> {
    const { kind, path, credentials, bearer, expects } = question;
    const body = question.json === undefined ? undefined : JSON.stringify(question.json);
    const {
      status,
      sentAt,
      node,
      body: text,
    } = await this.#send({
      ...question,
      method: question.method ?? 'POST',
      body: body ?? (question.form && new URLSearchParams(question.form).toString()),
      headers: {
        ...(question.form && { 'content-type': form }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(credentials !== undefined && { authorization: basic(credentials) }),
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      },
    }).catch((error: unknown) => {
      if (error instanceof NotServed) return { status: 0, sentAt: 0, node: 0, body: '' };
      throw error;
    });
    if (status === 0) return undefined;
    const json = text === '' ? undefined : JSON.parse(text);
    if (!expects.includes(status)) {
      const what = `${json?.error ?? ''} ${json?.error_description ?? ''}`.trim();
      this.#ledger.violate(
        `${kind} at node ${node}: ${question.method ?? 'POST'} ${path} was answered ${status} ${what}`,
        question.about,
      );
    }
    return { status, sentAt, node, json };
  }

  /** A browser that sends each request to the next node. It throws {@link NotServed} instead of showing a 503. */
  browser(): UserAgent {
    return new UserAgent({}, async (url, body, headers) => {
      const { host, pathname, search } = new URL(url);
      const answer = await this.#send({
        kind: 'authorize',
        method: body === undefined ? 'GET' : 'POST',
        path: pathname + search,
        headers: { host, ...headers },
        body,
      });
      const { status, node } = answer;
      if (status !== 200 && status !== 303 && status !== 302) {
        this.#ledger.violate(`authorize at node ${node}: ${pathname} was answered ${status}`);
      }
      return answer;
    });
  }

  /** @throws NotServed */
  async #send(sending: Sending): Promise<Received> {
    const { kind, about } = sending;
    const first = sending.node ?? this.#turn++;
    const tries = sending.node === undefined ? this.#targets.length : 1;
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const node = (first + attempt) % this.#targets.length;
      const target = this.#targets[node];
      if (target === undefined) break;
      const { kills, isDown } = target;
      const sentAt = performance.now();
      const note = (status: number | 'broken', issued?: string) =>
        this.#ledger.note({ kind, node, status, took: performance.now() - sentAt, about, issued });
      let received: ReadAnswer;
      try {
        received = await this.#exchange(target, sending);
      } catch (error) {
        const { code, name } = error as NodeJS.ErrnoException;
        const isKnown = isDown || target.isDown || target.kills !== kills;
        if (!isKnown) this.#ledger.violate(`${kind} at node ${node}, which was not killed: ${code ?? name}`);
        if (code === 'ECONNREFUSED') continue;
        note('broken');
        throw new NotServed();
      }
      const status = received.answer.statusCode ?? 0;
      note(status, /"access_token":"([^"]+)"/.exec(received.body)?.[1]);
      if (status !== 503) return { ...received, status, sentAt, node };
      this.#checkRefusal(kind, node, received);
      throw new NotServed();
    }
    throw new NotServed();
  }

  async #exchange(target: Target, { method, path, headers, body }: Sending): Promise<ReadAnswer> {
    const signal = AbortSignal.timeout(answerLimit);
    const { port } = target;
    const sent = request({ host: '127.0.0.1', port, method, path, headers, signal, agent: this.#agent });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { answer, body: await text(answer) };
  }

  /** A 503 says when to try again, and to programs also why. */
  #checkRefusal(kind: Kind, node: number, { answer, body }: ReadAnswer): void {
    const isPage = answer.headers['content-type']?.startsWith('text/html');
    if (!/^\d+$/.test(answer.headers['retry-after'] ?? '')) {
      this.#ledger.violate(`${kind} at node ${node}: a 503 without Retry-After`);
    }
    if (!isPage && !body.includes('"temporarily_unavailable"')) {
      this.#ledger.violate(`${kind} at node ${node}: a 503 without the reason`);
    }
  }
}
