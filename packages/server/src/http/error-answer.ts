import {
  describable,
  dpopAlgorithms,
  KeyManagementError,
  OAuthError,
  type OAuthErrorDetails,
  type ProtocolErrorName,
  protocolErrors,
  StoreDamagedError,
  StoreUnavailableError,
  UnstorableTextError,
} from '@watchword/protocol';
import { type AnswerHeaders, type HttpAnswer, nonceHeader } from './answer.ts';

/** The answer to a request that failed. */
export interface ErrorAnswer extends HttpAnswer {
  readonly status: number;
  readonly body: ErrorBody | string;
  readonly error: ProtocolErrorName;
}

export interface ErrorBody {
  /** Absent if the request had no credentials. */
  readonly error?: string;
  readonly error_description: string;
  readonly violations?: readonly string[];
}

/** Makes the page that shows an error to a user. */
export type ErrorPageRenderer = (error: OAuthError) => {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
};

const storeRetryAfter = 1;
const realm = 'realm="watchword"';
const bearer = `Bearer ${realm}`;

/** What the challenge of an access token depends on. */
export interface ChallengeFacts {
  /** That the request has: the challenge has its scheme. */
  readonly authorization?: string | undefined;
  /** Of the proofs that the server takes. */
  readonly dpopAlgorithms?: readonly string[] | undefined;
}

/** The answer for any thrown value. For an unexpected one it contains no details. */
export function errorAnswer(thrown: unknown, facts: ChallengeFacts = {}): ErrorAnswer {
  const error = toOAuthError(thrown);
  const { error: code, status } = protocolErrors[error.kind];
  const { violations } = error;
  return {
    status,
    headers: { ...headersOf(error, status), ...challengeOf(error, status, facts) },
    body: {
      ...(error.kind !== 'missing_token' && { error: code }),
      error_description: describable(error.message),
      ...(violations && { violations }),
    },
    error: error.kind,
    rule: error.rule,
  };
}

/** The same error as a page. It has no challenge, because a browser would then ask for a password. */
export function errorPageAnswer(thrown: unknown, render: ErrorPageRenderer): ErrorAnswer {
  const error = toOAuthError(thrown);
  const { status } = protocolErrors[error.kind];
  const { html, headers } = render(error);
  return {
    status,
    headers: { ...headersOf(error, status), ...headers },
    body: html,
    error: error.kind,
    rule: error.rule,
  };
}

/** The error of the table that stands for a thrown value. */
export function toOAuthError(thrown: unknown): OAuthError {
  if (thrown instanceof OAuthError) return thrown;
  if (thrown instanceof StoreUnavailableError || thrown instanceof KeyManagementError) {
    return new OAuthError('temporarily_unavailable', { cause: thrown, retryAfter: storeRetryAfter });
  }
  if (thrown instanceof StoreDamagedError) return new OAuthError('store_damaged', { cause: thrown });
  if (thrown instanceof UnstorableTextError) {
    return new OAuthError('invalid_request', {
      description: thrown.message,
      rule: 'form_encoding',
      cause: thrown,
    });
  }
  const [kind, details] = connectionErrors[errorCode(thrown)] ?? (['server_error', {}] as const);
  return new OAuthError(kind, { ...details, cause: thrown });
}

const badRequest = (description: string): ConnectionError => [
  'invalid_request',
  { description, rule: 'http_request' },
];

type ConnectionError = readonly [ProtocolErrorName, OAuthErrorDetails];

/** Errors that Node.js raises before there is a request, or while its body arrives, by their codes. */
const connectionErrors: Readonly<Record<string, ConnectionError>> = {
  HTTP_PARSE_ERROR: badRequest('The request is not valid HTTP.'),
  HPE_HEADER_OVERFLOW: ['header_fields_too_large', {}],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['body_too_large', {}],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', {}],
  ECONNRESET: badRequest('The connection ended before the request was complete.'),
};

function errorCode(thrown: unknown): string {
  if (!(thrown instanceof Error) || !('code' in thrown)) return '';
  const code = String(thrown.code);
  // All other errors of the HTTP parser mean malformed HTTP.
  return code.startsWith('HPE_') && !(code in connectionErrors) ? 'HTTP_PARSE_ERROR' : code;
}

function headersOf(error: OAuthError, status: number): Record<string, string> {
  return {
    ...(error.retryAfter !== undefined && { 'retry-after': String(error.retryAfter) }),
    ...(error.dpopNonce !== undefined && { [nonceHeader]: error.dpopNonce }),
    // The server does not read the rest of such a request.
    ...([408, 413, 431].includes(status) && { connection: 'close' }),
  };
}

/** The challenge: how the caller can authenticate (RFC 6750 §3, RFC 7617 §2, RFC 9449 §7.1). */
function challengeOf(error: OAuthError, status: number, facts: ChallengeFacts): AnswerHeaders {
  const { authorization = '', dpopAlgorithms: algorithms = dpopAlgorithms } = facts;
  const dpop = `DPoP ${realm}, algs="${algorithms.join(' ')}"`;
  const challenge = tokenChallenge(error, /^dpop\s/i.test(authorization) ? dpop : bearer);
  if (challenge !== undefined) {
    const takesBoth = error.takesDpop && !challenge.startsWith(dpop);
    return { 'www-authenticate': takesBoth ? [challenge, dpop] : challenge };
  }
  return status === 401 ? { 'www-authenticate': `Basic ${realm}, charset="UTF-8"` } : {};
}

/** `undefined` for an error that is not about an access token. */
function tokenChallenge(error: OAuthError, scheme: string): string | undefined {
  // RFC 6750 §3.1: the challenge for a request without credentials has no error code.
  if (error.kind === 'missing_token') return bearer;
  switch (error.kind) {
    case 'invalid_token':
    case 'insufficient_scope':
    case 'insufficient_user_authentication':
    case 'invalid_token_proof':
    case 'use_token_nonce': {
      const { error: code } = protocolErrors[error.kind];
      const scope = error.scope === undefined ? '' : `, scope="${error.scope}"`;
      // RFC 9470 §3.
      const age = error.maxAge === undefined ? '' : `, max_age="${error.maxAge}"`;
      const description = `error_description="${describable(error.message)}"`;
      return `${scheme}, error="${code}", ${description}${scope}${age}`;
    }
    default:
      return undefined;
  }
}
