import { type Finding, skipped } from '../finding.ts';
import { type SecretName, secretVariables } from '../secrets.ts';

/** A finding in place of a step for which a secret is missing. */
export function missing(name: SecretName, owner: string): Finding {
  return skipped(
    `the secret of ${owner} is not known`,
    `set ${secretVariables[name]}, or type it at a terminal`,
  );
}
