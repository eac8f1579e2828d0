import { OAuthError } from '../../model/errors/errors.ts';

/** Authentication and consent modules return steps, without HTTP. These parts are the same for both. */

/** The parameters that a browser sent to a module: all values of each, in order. */
export type Submission = ReadonlyMap<string, readonly string[]>;

/** The first value of a parameter, `''` if it is absent. */
export function submitted(submission: Submission, name: string): string {
  return submission.get(name)?.[0] ?? '';
}

/** The same of a parameter that must not be repeated. @throws OAuthError */
export function submittedOnce(submission: Submission, name: string): string {
  if ((submission.get(name) ?? []).length > 1) {
    throw new OAuthError('invalid_request', {
      description: `The parameter ${name} is given more than once.`,
      rule: 'parameter_once',
    });
  }
  return submitted(submission, name);
}

/**
 * The handle that a {@link LeadingElsewhere.brief} step sent to the other server. The cookies of the browser show later whether this
 * server issued it.
 *
 * @param stale key of the locale files for the error page
 * @throws OAuthError
 */
export function returnedHandle(submission: Submission, name: string, stale: string): string {
  const handle = submittedOnce(submission, name);
  if (/^[0-9a-f-]{36}$/.test(handle)) return handle;
  throw new OAuthError('invalid_request', {
    description: `The ${name} is missing or was not issued by this server.`,
    rule: 'valid_page',
    text: { key: stale },
  });
}

/** A text of the locale files by its key, or the text itself. */
export type Message = { readonly key: string; readonly values?: Readonly<Record<string, string>> } | string;

/** Shows a form. `resume` gets the submission of the browser. */
export interface FormStep {
  readonly type: 'form';
  /** HTTP status, default 200. */
  readonly status?: number;
  /** Seconds after which another attempt can succeed; becomes `Retry-After`. */
  readonly retryAfter?: number;
  /** Shown above the form. With a status of 400 or more it is an error, with advice for the user. */
  readonly message?: Message;
  /** Sealed into the page, and passed to `resume`: a value for `JSON.stringify`, of a few kilobytes at most. */
  readonly state?: unknown;
}

/**
 * Asks the browser for a passkey (WebAuthn), beside the fields of a form. `resume` then gets the answer as `passkey`, in JSON; `''` from a
 * page whose script does not run.
 */
export interface PasskeyRequest {
  /** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn Level 3. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The credential id of a passkey that does not exist here: the browser is told, so that it does not offer it again. */
  readonly unknown?: string;
}

/** Redirects the browser to another server. `resume` gets the parameters with which the browser returns. */
export interface RedirectStep extends LeadingElsewhere {
  readonly type: 'redirect';
  /** @param authState opaque text that must return unchanged with the browser */
  location(authState: string): string | Promise<string>;
}

/** The same with a form that the browser posts to the other server. */
export interface PostStep extends LeadingElsewhere {
  readonly type: 'post';
  /** Absolute URL, the target of the form. */
  readonly location: string;
  /** @param authState opaque text that must return unchanged with the browser */
  fields(authState: string): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

interface LeadingElsewhere {
  /**
   * The other server accepts only short texts. `authState` is then a handle of 36 characters, and the state itself is in a
   * cookie of this browser.
   */
  readonly brief?: boolean;
  readonly state?: unknown;
}
