/** A refusal by the server, or the lack of an answer. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The stable code: `invalid_request`, `not_found`, `insufficient_scope`, …; `unreachable` when there was no answer. */
  readonly code: string;
  /** Every rule that a submitted record breaks, each as `field: what is wrong`. */
  readonly violations: readonly string[];
  /** Seconds after which another attempt makes sense. */
  readonly retryAfter: number | undefined;
  /** What to look for in the server's log. */
  readonly requestId: string | undefined;

  constructor(message: string, details: AdminErrorDetails) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.code = details.code;
    this.violations = details.violations ?? [];
    this.retryAfter = details.retryAfter;
    this.requestId = details.requestId;
  }
}

export interface AdminErrorDetails {
  readonly status: number;
  readonly code: string;
  readonly violations?: readonly string[];
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** Makes an error of an answer that is not a success. */
export async function errorOf(response: Response): Promise<AdminError> {
  const body = await readBody(response);
  return new AdminError(
    textOf(body.error_description) ?? `The server answered with status ${response.status}.`,
    {
      status: response.status,
      code: textOf(body.error) ?? 'unexpected_answer',
      violations: Array.isArray(body.violations) ? body.violations.map(String) : [],
      retryAfter: secondsOf(response.headers.get('retry-after'), Date.now()),
      requestId: response.headers.get('x-request-id') ?? undefined,
    },
  );
}

/** A number of seconds, or the date after which to ask again (RFC 9110 §10.2.3). */
function secondsOf(text: string | null, now: number): number | undefined {
  if (text === null || text.trim() === '') return undefined;
  if (/^\d+$/.test(text.trim())) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

async function readBody(response: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
