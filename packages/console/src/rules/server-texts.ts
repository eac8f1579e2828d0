import { t } from '../texts/texts.ts';
import { inLanguage, noteOf } from './hidden-characters.ts';
import { problem } from './problems.ts';

/**
 * The server answers in English. These are the answers that users of the GUI meet although its own rules have found nothing:
 * for them there are texts. Every other answer is shown as the server wrote it.
 */
const violations: readonly (readonly [phrase: RegExp, text: (...found: readonly string[]) => string])[] = [
  [/^is required$/, () => problem('rule.required')],
  [/^has no visible character$/, () => problem('rule.invisible')],
  [/^is longer than (\d+) characters$/, (characters) => problem('rule.tooLong', { characters })],
  [
    /^has a character that no URI has, (U\+\w+ at position \d+)/,
    (character) => problem('rule.uriCharacter', { uri: '{field}', character }),
  ],
  [/^holds a control character/, () => problem('rule.controlCharacter')],
  [/^is not an e-mail address$/, () => problem('rule.email')],
  [/^expected an e-mail address/, () => problem('rule.email')],
  [/^expected an https URL of a picture/, () => problem('rule.picture')],
  [/^expected a language tag/, () => problem('rule.languageTag')],
  [/^expected a time zone/, () => problem('rule.timeZone')],
  [/^expected a phone number/, () => problem('rule.phoneNumber')],
  [/^is not an http\(s\) URL$/, () => problem('rule.webUrl')],
  [/^are more than (\d+)$/, (maximum) => problem('rule.tooMany', { maximum })],
  [/^one of them is empty$/, () => problem('rule.emptyMember')],
  [/^is not 1 to (\d+) characters/, (characters) => problem('rule.username', { characters })],
  [
    /^(".*"(?: \(U\+[^()]*\))?) is not a scope of the resource server$/,
    (scope) => problem('rule.foreignScope', { scope }),
  ],
  [
    /^(".*"(?: \(U\+[^()]*\))?) is a scope of OpenID Connect/,
    (scope) => problem('rule.openidScope', { scope }),
  ],
  [
    /^the client (\S+) has the expireDuration (\d+)/,
    (client, seconds) => problem('rule.clientLifetime', { client, seconds }),
  ],
  [/^the client (\S+) has pairwise subjects/, (client) => problem('rule.clientPairwise', { client })],
  [
    /^is (\w+), by which this server does not sign .*: (.*)$/,
    (algorithm, algorithms) => problem('rule.algorithm', { algorithm, algorithms }),
  ],
  [
    /^has a document that does not list the redirect URI (".*"(?: \(U\+[^()]*\))?)$/,
    (uri) => problem('rule.sectorLacks', { uri }),
  ],
  [/^answered with status (\d+)/, (status) => problem('rule.sectorStatus', { status })],
  [/^has a host without a public address/, () => problem('rule.sectorNotPublic')],
  [/^(?:has a document|cannot be requested|redirects to)/, () => problem('rule.sectorDocument')],
  [/^cannot be changed: the administration interface/, () => problem('rule.fixed')],
  [/^belongs to the administration interface/, () => problem('rule.identifierTaken')],
  [/^There is a record with the (?:key|clientId) \S+ already/, () => problem('rule.identifierTaken')],
  [/^There is an account with this username already/, () => t('problem.usernameTaken')],
  [/^The owner has a resource server of this name already/, () => t('problem.nameTaken')],
];

/** A violation in the language of the page, with `{field}` for the field; `undefined` if there is no text for it. */
export function violationText(phrase: string): string | undefined {
  const [, problem = phrase, characters] = /^(.*) \((U\+[^()]*)\)$/s.exec(phrase) ?? [];
  const text = textFor(problem);
  return text && inLanguage(text) + (characters === undefined ? '' : noteOf(characters));
}

function textFor(answer: string): string | undefined {
  for (const [pattern, text] of violations) {
    const [whole, ...found] = pattern.exec(answer) ?? [];
    if (whole !== undefined) return text(...found);
  }
  return undefined;
}
