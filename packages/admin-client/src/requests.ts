import { AdminError } from './admin-error.ts';
import { nextCursor, type Page } from './page.ts';
import type { Transport } from './transport.ts';

type Request = Parameters<Transport['send']>[0];

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ChangeOptions extends CallOptions {
  /** {@link Versioned.version}: the change is refused with `precondition_failed` when the record has changed since. */
  readonly version?: string | undefined;
}

/** A record, and a name for the state in which it was read. */
export interface Versioned<Value> {
  readonly record: Value;
  readonly version: string | undefined;
}

/** How answers are read. */
export interface Requests {
  readonly endpoint: Transport['endpoint'];
  answer<Value>(request: Request, options?: CallOptions): Promise<Answer<Value>>;
  json<Value>(request: Request, options?: CallOptions): Promise<Value>;
  versioned<Value>(request: Request, options?: CallOptions): Promise<Versioned<Value>>;
  page<Item>(request: Request, options?: CallOptions): Promise<Page<Item>>;
  nothing(request: Request, options?: CallOptions): Promise<void>;
}

export interface Answer<Value> {
  readonly body: Value;
  readonly headers: Headers;
}

export function requests({ endpoint, send }: Transport): Requests {
  async function answer<Value>(request: Request, { signal }: CallOptions = {}): Promise<Answer<Value>> {
    const response = await send(request, signal);
    return { body: await readJson(response), headers: response.headers };
  }
  return {
    endpoint,
    answer,
    json: async <Value>(request: Request, options?: CallOptions) =>
      (await answer<Value>(request, options)).body,
    async versioned<Value>(request: Request, options?: CallOptions) {
      const { body, headers } = await answer<Value>(request, options);
      return { record: body, version: headers.get('etag') ?? undefined };
    },
    async page<Item>(request: Request, options?: CallOptions) {
      const { body, headers } = await answer<readonly Item[]>(request, options);
      const total = headers.get('x-total-count');
      return {
        items: body,
        next: nextCursor(headers.get('link')),
        total: total === null ? undefined : Number(total),
      };
    },
    async nothing(request, { signal } = {}) {
      const response = await send(request, signal);
      await response.body?.cancel();
    },
  };
}

async function readJson<Value>(response: Response): Promise<Value> {
  try {
    return (await response.json()) as Value;
  } catch (cause) {
    throw new AdminError('Expected an answer in JSON; there may be something else at this address.', {
      status: response.status,
      code: 'unexpected_answer',
      cause,
    });
  }
}

/** Headers of a conditional change; without a version it is not conditional. */
export function conditional({ version }: ChangeOptions) {
  return { 'if-match': version };
}
