import { readKeySet } from '@watchword/proofs';
import { type AssertionIssuer, maxAssertionIssuers } from '../assertion-issuer.ts';
import { maxTextLength, textProblems } from './problems.ts';
import { httpsUriProblems } from './uris.ts';

/** Yields what is wrong with the issuers of a client, each as a phrase that follows the name of the field. */
export function* assertionIssuerProblems(issuers: readonly AssertionIssuer[]): Iterable<string> {
  if (issuers.length > maxAssertionIssuers) yield `are more than ${maxAssertionIssuers}`;
  for (const [index, issuer] of issuers.entries()) {
    for (const problem of problemsOf(issuer)) yield `has an issuer (number ${index + 1}) whose ${problem}`;
  }
}

function* problemsOf({ jwks, jwksUri, ...texts }: AssertionIssuer): Iterable<string> {
  for (const [name, text] of Object.entries(texts)) {
    if (text === '') yield `${name} is empty`;
    for (const problem of textProblems(text, maxTextLength)) yield `${name} ${problem}`;
  }
  const star = texts.subject.indexOf('*');
  if (star === 0) yield 'subject is *, which is everybody whom the issuer knows: begin it with a text';
  else if (star !== -1 && star < texts.subject.length - 1) yield 'subject has a * that is not its end';
  const read = readKeySet(jwks);
  if ('problem' in read) yield `jwks ${read.problem}`;
  else if (read.keys.length > 0 && jwksUri !== '') yield 'keys are there twice: set jwks or jwksUri';
  for (const problem of httpsUriProblems(jwksUri)) yield `jwksUri ${problem}`;
}
