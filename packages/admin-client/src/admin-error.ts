/** An error answer of the server, or no answer. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The stable code: `invalid_request`, `not_found`, `insufficient_scope`, …; `unreachable` when there was no answer. */
  readonly code: string;
  /** Every rule that a submitted record breaks, each as `field: problem`. */
  readonly violations: readonly string[];
  /** Seconds to wait before another attempt. */
  readonly retryAfter: number | undefined;
  /** Id of the request in the log of the server. */
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

/** Reads an error from an answer that is not a success. */
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

/** Seconds of `Retry-After`, which is a number of seconds or a date (RFC 9110 §10.2.3). */
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
