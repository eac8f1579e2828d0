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
  json<Value>(request: Request, options?: CallOptions): Promise<Value>;
  versioned<Value>(request: Request, options?: CallOptions): Promise<Versioned<Value>>;
  page<Item>(request: Request, options?: CallOptions): Promise<Page<Item>>;
  nothing(request: Request, options?: CallOptions): Promise<void>;
}

export function requests({ endpoint, send }: Transport): Requests {
  return {
    endpoint,
    json: async (request, { signal } = {}) => readJson(await send(request, signal)),
    async versioned(request, { signal } = {}) {
      const response = await send(request, signal);
      const version = response.headers.get('etag') ?? undefined;
      return { record: await readJson(response), version };
    },
    async page(request, { signal } = {}) {
      const response = await send(request, signal);
      const next = nextCursor(response.headers.get('link'));
      return { items: await readJson(response), next };
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
