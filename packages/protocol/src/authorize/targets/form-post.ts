/** A response goes to the redirect URI in a form that the browser posts there (OAuth 2.0 Form Post Response Mode §2). */
export interface FormPostTarget {
  readonly type: 'formPost';
  readonly responseMode: 'form_post';
  readonly redirectUri: string;
  /** The client's `state`, which every response repeats. */
  readonly state?: string;
}

/** The browser gets a page with a form. */
export interface FormPostAnswer {
  readonly type: 'formPost';
  /** The redirect URI of the client. */
  readonly location: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Whether a browser can post a form to a redirect URI: a private-use scheme opens an application, which gets no form. */
export function canBePosted(redirectUri: string): boolean {
  return /^https?:/i.test(redirectUri);
}

export function formPostAnswer(
  { redirectUri }: FormPostTarget,
  fields: Readonly<Record<string, string>>,
): FormPostAnswer {
  return { type: 'formPost', location: redirectUri, fields };
}
