import { administrationClientId } from '../../rules/built-in-records.ts';
import { atRedirectUri } from './at-redirect-uri.ts';
import type { FormPostAnswer, ResponseParameters, TargetKind } from './target-kind.ts';

/** A response goes to the redirect URI in a form that the browser posts there (OAuth 2.0 Form Post Response Mode §2). */
export const formPost = {
  name: 'form_post',
  ...atRedirectUri,

  /**
   * A private-use scheme opens an application, which gets no form. The pages of the administration read none, and the page that
   * posts one is an answer of the server that has a token in it.
   */
  isAllowedFor: (uri, client) =>
    client.clientId !== administrationClientId &&
    /^https?:/i.test(uri) &&
    atRedirectUri.isAllowedFor(uri, client),

  respond: formPostAnswer,
  offer: formPostAnswer,
} satisfies TargetKind;

function formPostAnswer(location: string, fields: ResponseParameters): FormPostAnswer {
  return { type: 'formPost', location, fields };
}
